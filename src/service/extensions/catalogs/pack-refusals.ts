import type { Values } from '../../../contract/messages/message.ts'
import type { PartId } from '../../../contract/messages/refusals/index.ts'
import { refusal } from '../../base/refusal.ts'

/*
 * | code | status | when |
 * |---|---|---|
 * | `modpacks.no-catalog` | 503 | the service asks no catalogs |
 * | `modpacks.not-found` | 404 | there is no such pack, or no longer |
 * | `modpacks.none` | 409 | the server has no pack |
 * | `modpacks.nothing-wanted` | 409 | nothing was named, and the server waits for no pack |
 * | `modpacks.one-wish` | 422 | neither a version nor a file was named, or both |
 * | `modpacks.broken` | 422 | the file is no pack, or one that cannot be read |
 * | `modpacks.unsafe` | 422 | the pack leads out of the server's folder, or to where nothing is fetched from |
 * | `modpacks.too-large` | 422 | the pack has more than any has |
 * | `modpacks.software` | 422 | the pack asks for software that is not offered here |
 * | `modpacks.needs-internet` | 422 | the pack lists files to fetch, and the service fetches none |
 * | `modpacks.changed` | 409 | somebody edits what is about to be replaced or removed (`changes/touched-files.ts`) |
 * | `modpacks.file-wrong` | 502 | a file of the pack is another one than the pack says |
 * | `modpacks.not-installed` | 409 | the pack the server was created from is not installed yet |
 */

export const noCatalog = () => refusal(503, 'modpacks.no-catalog')

export const notFound = () => refusal(404, 'modpacks.not-found')

export const none = () => refusal(409, 'modpacks.none')

export const nothingWanted = () => refusal(409, 'modpacks.nothing-wanted')

export const oneWish = () => {
  return refusal(422, 'modpacks.one-wish').at('versionId')
}

export const broken = (reason: PartId, values: Values = {}) =>
  refusal(422, 'modpacks.broken', { ...values, reason })

export const curseForge = () => refusal(422, 'modpacks.broken.curseforge')

export const unsafe = (reason: PartId, values: Values = {}) =>
  refusal(422, 'modpacks.unsafe', { ...values, reason })

export const tooLarge = (reason: PartId, values: Values = {}) =>
  refusal(422, 'modpacks.too-large', { ...values, reason })

/** A path of a modpack as it may stand in a sentence. */
export const shown = (path: string): string => JSON.stringify(path.slice(0, 100)).slice(1, -1)

export const noSoftware = (wants: string) => refusal(422, 'modpacks.software', { wanted: wants })

export const severalLoaders = () => refusal(422, 'modpacks.software.loaders')

export const needsInternet = (name: string) => refusal(422, 'modpacks.needs-internet', { name: shown(name) })

export const fileWrong = (path: string) =>
  refusal(502, 'modpacks.file-wrong', { path: JSON.stringify(path).slice(1, -1) })

export const notInstalled = (name: string) => refusal(409, 'modpacks.not-installed', { name })
