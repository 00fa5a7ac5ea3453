/** So many at once, and after that so many a second. */
export interface Rate {
  burst: number
  perSecond: number
}

/**
 * Operations whose work grows with what is there, or with what is asked. Of each kind an account has a few at once, and
 * those that come in addition wait for their turn: it is slower for who asks for much, and for nobody else.
 */
export type Lane = 'reading' | 'changing' | 'bringing' | 'searching'

/** Everything that an account, an address or a request can make the service do, and how much of it. */
export interface Bounds {
  /** Requests of one account that are under way, streams of events not counted. A panel has about 30 at its busiest. */
  requestsAtOnce: number
  /** Streams of events of one account. A panel has two, and for a moment four. */
  streams: number
  /** How many go on at once, of an account. Panels move two to four things at a time. */
  lanes: Readonly<Record<Lane, number>>
  /** By operation: how often an account may ask for what is cheap to ask and costs others: a process, a write, a folder. */
  rates: Readonly<Record<string, Rate>>
  /** Servers of one account: each has a folder, a port, a console in memory. People have up to some thirty. */
  servers: number
  /** Begun uploads of one server. Panels have four; of a crash some are left. */
  begunUploads: number
  /** Finished uploads that are remembered for who lost the answer, of one server. */
  rememberedUploads: number
  /** Archives that are packed or unpacked, of one account: each keeps one of Node's four threads for files busy. */
  jobs: number
  /** Connections of one address, and of all. A panel has about ten, a proxy in front some hundred. */
  connectionsOfAddress: number
  connections: number
  /** Requests that wait on one connection: pipelining, which no panel does. */
  requestsOfConnection: number
  /** Time for the head of a request, in milliseconds. It is one packet or two. */
  headersMs: number
  /** Bytes of a JSON body: of operations that take a list, and of all others. */
  listBytes: number
  bodyBytes: number
  /** Values and depth of a JSON body. The longest honest one is a list of 1,000 pairs. */
  bodyValues: number
  bodyDepth: number
  /** Fields that an answer to a wrong body names. */
  fieldsNamed: number
}

export const BOUNDS: Bounds = {
  requestsAtOnce: 128,
  streams: 32,
  lanes: { reading: 4, changing: 6, bringing: 6, searching: 1 },
  rates: {
    'servers.create': { burst: 100, perSecond: 1 },
    // Each copies all that a server has.
    'servers.duplicate': { burst: 20, perSecond: 0.05 },
    'servers.remove': { burst: 100, perSecond: 1 },
    'servers.begin-import': { burst: 20, perSecond: 0.2 },
    'servers.look-at-import': { burst: 30, perSecond: 0.5 },
    'servers.create-from-import': { burst: 30, perSecond: 0.5 },
    // Each copies a whole server.
    'servers.reset': { burst: 20, perSecond: 0.2 },
    'software.change': { burst: 20, perSecond: 0.2 },
    'software.undo': { burst: 20, perSecond: 0.5 },
    'software.clear-fetched': { burst: 10, perSecond: 0.05 },
    'servers.change-config': { burst: 60, perSecond: 5 },
    'servers.change-port': { burst: 60, perSecond: 5 },
    // Each connects to some addresses of the computer.
    'servers.addresses': { burst: 60, perSecond: 1 },
    'servers.power': { burst: 120, perSecond: 5 },
    'servers.start-safely': { burst: 120, perSecond: 5 },
    // Each goes through up to 4 MiB of console, which is seconds of work.
    'servers.crash-log': { burst: 20, perSecond: 0.2 },
    'console.command': { burst: 500, perSecond: 50 },
    'access.invite': { burst: 30, perSecond: 0.2 },
    'access.change': { burst: 100, perSecond: 2 },
    'access.remove': { burst: 100, perSecond: 2 },
    'access.answer': { burst: 30, perSecond: 1 },
    'notifications.read': { burst: 60, perSecond: 2 },
    'notifications.change-settings': { burst: 60, perSecond: 1 },
    // Each begins with a look at all that the account was told.
    'notifications.events': { burst: 60, perSecond: 1 },
    // Up to a hundred commands each, or a file that is written.
    'players.act': { burst: 60, perSecond: 2 },
    'players.turn-whitelist': { burst: 60, perSecond: 2 },
    // What somebody did is looked up in the logs of all servers.
    'account.export': { burst: 20, perSecond: 0.1 },
    // Up to 100,000 entries each.
    'activity.export': { burst: 10, perSecond: 0.1 },
    // Each asks catalogs that others run, and that bound how often.
    'extensions.search': { burst: 60, perSecond: 2 },
    'extensions.details': { burst: 60, perSecond: 2 },
    'extensions.icon': { burst: 300, perSecond: 20 },
    'extensions.updates': { burst: 30, perSecond: 0.5 },
    'extensions.plan': { burst: 60, perSecond: 1 },
    'extensions.install': { burst: 60, perSecond: 1 },
    // Each reads and moves up to a hundred jars.
    'extensions.adopt': { burst: 60, perSecond: 1 },
    'extensions.undo': { burst: 60, perSecond: 1 },
    'extensions.change': { burst: 200, perSecond: 5 },
    'extensions.remove': { burst: 200, perSecond: 5 },
    'modpacks.search': { burst: 60, perSecond: 2 },
    'modpacks.versions': { burst: 60, perSecond: 2 },
    'modpacks.updates': { burst: 30, perSecond: 0.5 },
    'modpacks.players': { burst: 30, perSecond: 0.5 },
    // Each fetches a pack, and copies a whole server.
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

/** Which operations go by lanes. By operation. */
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
  // A lane of its own: its place is held while its body is on the way, which on a slow line takes minutes.
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
