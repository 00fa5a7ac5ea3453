import { z } from 'zod'
import { idOf } from '../declarations/also-named.ts'
import { area } from '../declarations/declare.ts'
import { always, json, list, maybe, Time } from '../declarations/operation.ts'
import { PlayerCount, ServerStatus } from './servers.ts'

const { read, write } = area('nodes')

/** Names of players that are told at most. */
export const NAMES_MOST = 20

const NodeServer = z.object({
  id: always.text,
  name: always.text,
  status: ServerStatus.nullish(),
  players: PlayerCount.nullish(),
  /** Of those who are on, some. */
  playerNames: z.array(z.string()).nullish(),
  /** By its settings, it runs on this node only. */
  isPinned: maybe.flag,
})
export type NodeServer = z.output<typeof NodeServer>

/** A computer that runs servers. Sizes in bytes; what is taken counts what its programs may use. */
const Node = z.object({
  id: idOf('node', z.string().min(1).max(200)),
  name: always.text,
  /** It is reached. */
  isReady: maybe.flag,
  /** Since when it isn't reached. */
  goneSince: Time.nullish(),
  /** It takes no more servers. */
  isDraining: maybe.flag,
  cpus: maybe.amount,
  takenCpus: maybe.amount,
  memoryBytes: maybe.amount,
  takenMemoryBytes: maybe.amount,
  servers: z.array(NodeServer).nullish(),
})
export type Node = z.output<typeof Node>

const NODES_MOST = 1000

/** Only for the owner of the service. Empty where it has one computer. */
export const nodes = {
  list: read({
    id: 'nodes.list',
    summary: 'List the computers of the service, and what runs on each',
    lane: 'reading',
    path: '/nodes',
    origin: 'extension',
    answer: list(Node, 'id'),
    pages: { most: NODES_MOST, each: NODES_MOST },
    keep: 'memory',
  }),
  drain: write({
    id: 'nodes.drain',
    summary: 'Let a computer take no more servers, or use it again',
    rate: { burst: 60, perSecond: 1 },
    method: 'PATCH',
    path: '/nodes/:nodeId',
    origin: 'extension',
    body: z.object({ isDraining: z.boolean() }),
    stale: ['nodes.list'],
    bridge: 'pass',
  }),
  /** Answers once it is online, or it is known that it won't be. */
  move: write({
    id: 'nodes.move',
    summary: 'Restart a server of a computer, on another one if this one takes no more',
    rate: { burst: 120, perSecond: 5 },
    method: 'POST',
    path: '/nodes/:nodeId/move',
    origin: 'extension',
    body: z.object({ serverId: z.string().min(1).max(200) }),
    answer: json(z.object({ status: ServerStatus.nullish(), node: maybe.text })),
    patience: 900_000,
    stale: ['nodes.list', 'servers.list'],
    bridge: 'pass',
  }),
}
