import { compareVersions } from '../../../contract/rules/version-order.ts'
import type { Channel } from '../catalog.ts'

export { compareVersions } from '../../../contract/rules/version-order.ts'

export const newestFirst = (a: { id: string }, b: { id: string }): number => compareVersions(b.id, a.id)

export const channelOf = (id: string): Channel => (/^\d+(\.\d+)+$/.test(id) ? 'release' : 'snapshot')
