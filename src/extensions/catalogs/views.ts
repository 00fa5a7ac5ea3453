import { refusal } from '../../host/refusal.ts'
import type { ExtensionCatalog } from './extension-catalog.ts'
import { DETAILS_VERSIONS_MOST } from './catalog-api.ts'

type Details = Awaited<ReturnType<ExtensionCatalog['details']>>
type Icon = Awaited<ReturnType<ExtensionCatalog['icon']>>

const ICON_BYTES = 128 * 1024

/** As the contract has it. */
export const detailsView = ({ versions, ...about }: Details) => ({
  ...about,
  versions: versions
    .slice(0, DETAILS_VERSIONS_MOST)
    .map(({ id, name, channel, releasedAt, changes }) => ({ id, name, channel, releasedAt, changes })),
})

/** Throws 404 `extensions.not-found`. */
export function iconView(icon: Icon): { picture: string } {
  if (!icon || icon.bytes.length > ICON_BYTES || !/^image\/(png|jpeg|webp|gif|avif)$/.test(icon.type))
    throw refusal(404, 'extensions.not-found.picture')
  return { picture: `data:${icon.type};base64,${Buffer.from(icon.bytes).toString('base64')}` }
}
