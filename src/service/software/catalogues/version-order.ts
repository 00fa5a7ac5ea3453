import { compareVersions } from '../../../contract/rules/version-order.ts'
import type { Channel } from '../catalogue.ts'

export { compareVersions } from '../../../contract/rules/version-order.ts'

/** For lists, newest first. */
export const newestFirst = (a: { id: string }, b: { id: string }): number => compareVersions(b.id, a.id)

/** What the name of a version of Minecraft says: releases are numbers and dots, whatever they begin with. */
export const channelOf = (id: string): Channel => (/^\d+(\.\d+)+$/.test(id) ? 'release' : 'snapshot')
