import { access } from './access.ts'
import { account } from './account.ts'
import { consoleOperations } from './console.ts'
import { extensions } from './extensions.ts'
import { files } from './files.ts'
import { notifications } from './notifications.ts'
import type { Operation } from './operation.ts'
import { players } from './players.ts'
import { promocodes } from './promocodes.ts'
import { servers } from './servers.ts'
import { software } from './software.ts'

/** Every operation of the Hosting Control API v1, by area. */
export const api = {
  account,
  servers,
  console: consoleOperations,
  players,
  files,
  software,
  extensions,
  access,
  notifications,
  promocodes,
}

/** All operations in one list. Routes with fewer parameters come before those that could swallow them. */
export const operations: readonly Operation[] = Object.values(api).flatMap(
  (area) => Object.values(area) as Operation[],
)

/** What every base address ends in (§9). */
export const BASE_PATH = '/api/v1'
