// A panel's copies alone, in a process that can be killed: begins a copy of a server and says nothing.
import { join } from 'node:path'
import type { Connection } from '../../../src/contract/bridge/values.ts'
import { ApiClient } from '../../../src/main/api/client.ts'
import { makeDispatcher } from '../../../src/main/api/requests/transport.ts'
import { systemClock } from '../../../src/main/base/retry.ts'
import { Copies } from '../../../src/main/copies/copies.ts'
import { CopyPlans } from '../../../src/main/copies/copy-plans.ts'
import { noLog } from '../../../src/main/logging/log.ts'
import { problemsWith } from '../../../src/main/logging/to-problem.ts'
import { Databases } from '../../../src/main/storage/databases.ts'
import { openCache } from '../../../src/main/views/cache/cache.ts'

const [baseUrl = '', token = '', dataDir = '', serverId = ''] = process.argv.slice(2)
const client = new ApiClient({
  ...{ baseUrl, dispatcher: makeDispatcher({ envProxy: false }), token: async () => token },
})
const cache = await openCache(join(dataDir, 'cache.db'), new Databases())
const copies = new Copies({
  ...{ plans: new CopyPlans(cache, Date.now), root: join(dataDir, 'copies'), hasFolders: false },
  ...{ clock: systemClock, log: noLog, toProblem: problemsWith(noLog) },
  connection: (id) => ({ id, kind: 'service', baseUrl, state: { kind: 'ready' } }) as Connection,
  client: () => client,
  tell: () => {},
  note: () => {},
})
await copies.begin({ connectionId: 'c', serverId })
