import { z } from 'zod'
import { area } from '../declarations/declare.ts'
import { FailureReason } from '../declarations/errors.ts'
import { all, always, json, list, maybe } from '../declarations/operation.ts'
import { Server, ServerSoftware } from './servers.ts'

const { read, write } = area('servers')

const CONTAINERS_MOST = 200

/** A container that others made, with a server that can be adopted. */
const ForeignContainer = z.object({
  name: always.filled,
  image: maybe.text,
  /** As its environment says. */
  software: ServerSoftware.nullish(),
  memoryMb: maybe.whole,
  port: maybe.whole,
  /** Of the server, on the service's computer. */
  folder: maybe.text,
  running: maybe.flag,
  /** Why it can't be adopted as it is. */
  error: FailureReason.nullish(),
})
export type ForeignContainer = z.output<typeof ForeignContainer>

export const containers = {
  list: read({
    id: 'servers.list-containers',
    summary: 'List containers that others made, for the owner of the service',
    rate: { burst: 60, perSecond: 1 },
    lane: 'reading',
    path: '/containers',
    origin: 'extension',
    answer: list(ForeignContainer, 'name'),
    pages: all(CONTAINERS_MOST),
    keep: 'never',
  }),
  adopt: write({
    id: 'servers.adopt-container',
    summary: 'Manage the server of such a container, which stays as it is',
    rate: { burst: 30, perSecond: 0.5 },
    method: 'POST',
    path: '/containers',
    origin: 'extension',
    body: z.object({ name: z.string().min(1).max(200) }),
    status: 201,
    answer: json(Server),
    stale: ['servers.list', 'servers.list-containers'],
    bridge: 'pass',
    patience: 60_000,
  }),
}
