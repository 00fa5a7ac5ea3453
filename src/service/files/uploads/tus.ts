import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { Server, type Locker } from '@tus/server'
import type { AgingClock } from '../../base/clock.ts'
import type { UploadLocks } from './locks.ts'
import { TusStore, type TusRequestContext } from './tus-store.ts'
import type { UploadStore } from './upload-store.ts'

export type Tus = (request: Request, asking: TusRequestContext) => Promise<Response>

/** tus 1.0 with creation, termination, expiration. Errors come from `asking.failure`. */
export function createTus(store: UploadStore, locks: UploadLocks, clock: AgingClock): Tus {
  const current = new AsyncLocalStorage<TusRequestContext>()
  const asking = (): TusRequestContext => {
    const found = current.getStore()
    if (!found) throw new Error('The store was used outside of a request')
    return found
  }

  const locker: Locker = {
    newLock(id) {
      let release: (() => void) | null = null
      return {
        async lock() {
          release = await locks.take(id, asking().holder)
        },
        unlock: async () => release?.(),
      }
    },
  }

  const server = new Server({
    path: '/',
    datastore: new TusStore(store, clock, asking),
    locker,
    namingFunction: () => randomBytes(16).toString('base64url'),
    generateUrl: (_request, { id }) => `${asking().path}/${id}`,
    allowedOrigins: () => false,
    onResponseError(_request, error) {
      asking().failure = error
      return undefined
    },
  })
  return (request, ask) => current.run(ask, () => server.handleWeb(request))
}
