import type { ReadId, ViewId } from '../../contract/areas/index.ts'
import type { InputOf, Operation, OutputOf } from '../../contract/declarations/operation.ts'
import { type ParsedSendRequest, type NamedView, sentOperations } from '../../contract/bridge/passed.ts'
import type { ApiClient, SendOptions } from '../api/client.ts'
import type { ViewStore } from './cache/view-store.ts'
import type { Server, ServerRef } from '../../contract/bridge/values.ts'
import type { Cache } from './cache/cache.ts'

interface WriteTarget {
  connectionId: string
  serverId?: string | undefined
}

/** Sends writes. Operations' `stale` declarations are applied only here, whatever the outcome. */
export class WriteSender {
  readonly #client: (connectionId: string) => ApiClient
  readonly #views: ViewStore
  readonly #sent: (op: Operation, connectionId: string) => void

  /** @param sent called after every write, whatever the outcome */
  constructor(
    client: (connectionId: string) => ApiClient,
    views: ViewStore,
    sent: (op: Operation, connectionId: string) => void,
  ) {
    this.#client = client
    this.#views = views
    this.#sent = sent
  }

  async pass({ operation, connectionId, params, query, body, ifMatch }: ParsedSendRequest): Promise<unknown> {
    const op = sentOperations.get(operation)
    if (!op) throw new Error(`${operation} is not passed on.`)
    const input = { params, query, ...(body === undefined ? {} : { body }) } as InputOf<Operation>
    return await this.during(op, { connectionId, serverId: params.serverId }, async () => {
      const options = ifMatch ? { ifMatch } : {}
      const { value, etag } = await this.#client(connectionId).send(op, input, patient(op, options))
      if (op.puts !== null && value !== null) {
        const put = { view: op.puts as ViewId, connectionId, params } satisfies NamedView
        await this.#views.put(put, value as never, etag)
      }
      return value
    })
  }

  async send<Op extends Operation>(
    op: Op,
    place: WriteTarget,
    input: InputOf<Op>,
    options: SendOptions = {},
  ): Promise<OutputOf<Op>> {
    return await this.during(op, place, async () => {
      const client = this.#client(place.connectionId)
      return (await client.send(op, input, patient(op, options))).value
    })
  }

  /** For work that sends writes itself. Marks views stale even after a refusal or a lost answer. */
  async during<T>(
    op: Operation,
    { connectionId, serverId }: WriteTarget,
    work: () => Promise<T>,
  ): Promise<T> {
    const stale = new Set(op.stale)
    if (op.puts !== null) stale.add(op.puts)
    try {
      const answer = await work()
      if (op.puts !== null && answer !== null) stale.delete(op.puts)
      return answer
    } finally {
      void this.#views.markStale([...stale] as ReadId[], connectionId, serverId)
      this.#sent(op, connectionId)
    }
  }
}

const patient = (op: Operation, options: SendOptions): SendOptions =>
  op.patience === null ? options : { ...options, headMs: op.patience }

export const removeFromList = (views: ViewStore, { connectionId, serverId }: ServerRef): Promise<void> =>
  views.change({ view: 'servers.list', connectionId }, (list) => ({
    ...list,
    items: list.items.filter(({ id }) => id !== serverId),
  }))

/** Without a list from the service, a new server is stored as one added by ID. */
export async function keepCreated(
  { views, cache }: { views: ViewStore; cache: Pick<Cache, 'addServer' | 'renameAdded'> },
  connectionId: string,
  { id, name }: Pick<Server, 'id' | 'name'>,
): Promise<void> {
  const list = { view: 'servers.list', connectionId } as const
  const { value, problem } = await views.refresh(list)
  const isListed = problem ? problem.code !== 'unavailable' && problem.code !== 'forbidden' : !value?.byId
  if (isListed || !(await cache.addServer(connectionId, id))) return
  await cache.renameAdded(connectionId, id, name)
  await views.refresh(list)
}
