import type { Values } from '../../contract/messages/message.ts'
import type { PartId } from '../../contract/messages/refusals/index.ts'
import { refusal } from '../../host/refusal.ts'

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

/** Quotes a pack's path safely within a sentence. */
export const shown = (path: string): string => JSON.stringify(path.slice(0, 100)).slice(1, -1)

export const noSoftware = (wants: string) => refusal(422, 'modpacks.software', { wanted: wants })

export const severalLoaders = () => refusal(422, 'modpacks.software.loaders')

export const needsInternet = (name: string) => refusal(422, 'modpacks.needs-internet', { name: shown(name) })

export const fileWrong = (path: string) =>
  refusal(502, 'modpacks.file-wrong', { path: JSON.stringify(path).slice(1, -1) })

export const notInstalled = (name: string) => refusal(409, 'modpacks.not-installed', { name })
