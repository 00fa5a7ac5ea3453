import { account } from './de/account.ts'
import { console } from './de/console.ts'
import { frame } from './de/frame.ts'
import { graphs } from './de/graphs.ts'
import { problems } from './de/problems.ts'
import { server } from './de/server.ts'
import { settings } from './de/settings.ts'
import type { Translation } from './t.svelte.ts'

/** Every text of the panel in German. */
export const de = {
  ...frame,
  ...problems,
  ...account,
  ...server,
  ...settings,
  ...console,
  ...graphs,
} satisfies Translation
