import type { Lane, Rate } from '../../../contract/declarations/operation.ts'

export interface Bounds {
  /** Concurrent requests of an account, without event streams. A panel peaks at about 30. */
  requestsAtOnce: number
  /** Event streams of an account. A panel has two, briefly four. */
  streams: number
  /** By lane and account. Panels move two to four things at a time. */
  lanes: Readonly<Record<Lane, number>>
  /** By operation id, in place of those declared. */
  rates: Readonly<Record<string, Rate>> | null
  /** Servers of an account: each has a folder, a port and a console in memory. People have up to about 30. */
  servers: number
  /** Unfinished uploads of a server. Panels have four; crashes leave some behind. */
  begunUploads: number
  /** Finished uploads remembered per server, for clients that lost the answer. */
  rememberedUploads: number
  /** Archives of an account being packed or unpacked: each occupies one of Node's four file threads. */
  jobs: number
  /** Connections per address, and in total. A panel has about ten, a proxy in front a few hundred. */
  connectionsOfAddress: number
  connections: number
  /** Pipelined requests of one connection. No panel does this. */
  requestsOfConnection: number
  headersMs: number
  listBytes: number
  bodyBytes: number
  /** Values and depth of a JSON body. The longest legitimate one is a list of 1,000 pairs. */
  bodyValues: number
  bodyDepth: number
  fieldsNamed: number
}

export const BOUNDS: Bounds = {
  requestsAtOnce: 128,
  streams: 32,
  lanes: { reading: 4, changing: 6, bringing: 6, searching: 1 },
  rates: null,
  servers: 100,
  begunUploads: 200,
  rememberedUploads: 500,
  jobs: 3,
  connectionsOfAddress: 400,
  connections: 1500,
  requestsOfConnection: 8,
  headersMs: 20_000,
  listBytes: 1024 * 1024,
  bodyBytes: 64 * 1024,
  bodyValues: 10_000,
  bodyDepth: 12,
  fieldsNamed: 20,
}
