import type { Rate } from '../../base/token-bucket.ts'

/** Lanes for operations whose work grows with the data. Each account runs a few per lane; the rest queue. */
export type Lane = 'reading' | 'changing' | 'bringing' | 'searching'

export interface Bounds {
  /** Concurrent requests of an account, without event streams. A panel peaks at about 30. */
  requestsAtOnce: number
  /** Event streams of an account. A panel has two, briefly four. */
  streams: number
  /** By lane and account. Panels move two to four things at a time. */
  lanes: Readonly<Record<Lane, number>>
  /** By operation id: how often an account may request what is cheap to ask but costly to do. */
  rates: Readonly<Record<string, Rate>>
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
  rates: {
    'servers.create': { burst: 100, perSecond: 1 },
    'servers.duplicate': { burst: 20, perSecond: 0.05 },
    'servers.remove': { burst: 100, perSecond: 1 },
    'servers.begin-import': { burst: 20, perSecond: 0.2 },
    'servers.look-at-import': { burst: 30, perSecond: 0.5 },
    'servers.create-from-import': { burst: 30, perSecond: 0.5 },
    'servers.reset': { burst: 20, perSecond: 0.2 },
    'software.change': { burst: 20, perSecond: 0.2 },
    'software.undo': { burst: 20, perSecond: 0.5 },
    'software.clear-fetched': { burst: 10, perSecond: 0.05 },
    'servers.change-config': { burst: 60, perSecond: 5 },
    'servers.change-port': { burst: 60, perSecond: 5 },
    'servers.addresses': { burst: 60, perSecond: 1 },
    'servers.power': { burst: 120, perSecond: 5 },
    'servers.start-safely': { burst: 120, perSecond: 5 },
    // Searches up to 4 MiB of console, which takes seconds.
    'servers.crash-log': { burst: 20, perSecond: 0.2 },
    'console.command': { burst: 500, perSecond: 50 },
    'access.invite': { burst: 30, perSecond: 0.2 },
    'access.change': { burst: 100, perSecond: 2 },
    'access.remove': { burst: 100, perSecond: 2 },
    'access.answer': { burst: 30, perSecond: 1 },
    'notifications.read': { burst: 60, perSecond: 2 },
    'notifications.change-settings': { burst: 60, perSecond: 1 },
    // Starts by reading all notifications of the account.
    'notifications.events': { burst: 60, perSecond: 1 },
    'players.act': { burst: 60, perSecond: 2 },
    'players.turn-whitelist': { burst: 60, perSecond: 2 },
    // Searches the logs of all servers.
    'account.export': { burst: 20, perSecond: 0.1 },
    'activity.export': { burst: 10, perSecond: 0.1 },
    // Asks third-party catalogs, which are rate-limited.
    'extensions.search': { burst: 60, perSecond: 2 },
    'extensions.details': { burst: 60, perSecond: 2 },
    'extensions.icon': { burst: 300, perSecond: 20 },
    'extensions.updates': { burst: 30, perSecond: 0.5 },
    'extensions.plan': { burst: 60, perSecond: 1 },
    'extensions.install': { burst: 60, perSecond: 1 },
    'extensions.adopt': { burst: 60, perSecond: 1 },
    'extensions.undo': { burst: 60, perSecond: 1 },
    'extensions.change': { burst: 200, perSecond: 5 },
    'extensions.remove': { burst: 200, perSecond: 5 },
    'modpacks.search': { burst: 60, perSecond: 2 },
    'modpacks.versions': { burst: 60, perSecond: 2 },
    'modpacks.updates': { burst: 30, perSecond: 0.5 },
    'modpacks.players': { burst: 30, perSecond: 0.5 },
    'modpacks.plan': { burst: 30, perSecond: 0.5 },
    'modpacks.foresee': { burst: 30, perSecond: 0.5 },
    'modpacks.create': { burst: 20, perSecond: 0.2 },
    'modpacks.install': { burst: 20, perSecond: 0.2 },
    'files.upload': { burst: 2000, perSecond: 100 },
    'files.write': { burst: 500, perSecond: 50 },
    'files.folder': { burst: 2000, perSecond: 100 },
  },
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

export const LANES: Readonly<Record<string, Lane>> = {
  'files.list': 'reading',
  'files.trash': 'reading',
  'files.limits': 'reading',
  'console.history': 'reading',
  'software.plan': 'reading',
  'software.builds': 'reading',
  'software.fetched': 'reading',
  'players.list': 'reading',
  'players.stats': 'reading',
  'players.sessions': 'reading',
  'activity.export': 'reading',
  'servers.icon': 'reading',
  'servers.crash': 'reading',
  'servers.crash-log': 'reading',
  'extensions.list': 'reading',
  'extensions.updates': 'reading',
  'extensions.plan': 'reading',
  'modpacks.plan': 'reading',
  'modpacks.foresee': 'reading',
  'files.search': 'searching',
  // Its own lane: a place is occupied while the body arrives, which takes minutes on a slow line.
  'files.batch': 'bringing',
  'players.act': 'changing',
  'players.turn-whitelist': 'changing',
  'extensions.change': 'changing',
  'extensions.remove': 'changing',
  'extensions.adopt': 'changing',
  'extensions.undo': 'changing',
  'files.move': 'changing',
  'files.copy': 'changing',
  'servers.duplicate': 'changing',
  'files.remove': 'changing',
  'files.restore': 'changing',
  'files.purge': 'changing',
}
