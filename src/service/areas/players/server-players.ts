import type { AllServerFiles } from '../../files/all-server-files.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import type { Clock } from '../../base/clock.ts'
import { Yielder } from '../../../host/yield.ts'
import type { Runtime } from '../../runtime/types.ts'
import type { Store } from '../../store/store.ts'
import { KnownLists } from '../../worlds/known-lists.ts'
import type { SessionRecorder } from './session-recorder.ts'
import { StatsReader } from './stats-reader.ts'
import { WorldPlayers } from './world-players.ts'

/** Servers cached in memory: about 4 MiB each with 10,000 players. */
const KEPT_SERVERS = 30

interface ServerPlayersPorts {
  all: AllServerFiles
  runtime: Runtime
  store: Pick<Store, 'players' | 'inOneStep'>
  clock: Clock
  recorder: SessionRecorder
}

interface PlayerReaders {
  lists: KnownLists
  stats: StatsReader
}

export class ServerPlayers {
  readonly #ports: ServerPlayersPorts
  readonly #kept = new Map<string, PlayerReaders>()

  constructor(ports: ServerPlayersPorts) {
    this.#ports = ports
  }

  files(serverId: string): ServerFiles {
    return this.#ports.all.of(serverId)
  }

  async read(serverId: string): Promise<WorldPlayers> {
    const { runtime, store, clock, recorder } = this.#ports
    await new Yielder().turn()
    recorder.flush()
    return WorldPlayers.read(this.files(serverId), this.#of(serverId).lists, {
      seen: store.players.allSeen(serverId),
      online: runtime.players(serverId)?.names ?? [],
      onSince: store.players.onSince(serverId),
      timedBans: store.players.bansOf(serverId),
      isOffline: runtime.isOffline(serverId),
      now: clock.now(),
    })
  }

  lists(serverId: string): KnownLists {
    return this.#of(serverId).lists
  }

  stats(serverId: string): StatsReader {
    return this.#of(serverId).stats
  }

  forget(serverId: string): void {
    this.#kept.delete(serverId)
  }

  #of(serverId: string): PlayerReaders {
    const kept = this.#kept.get(serverId) ?? { lists: new KnownLists(), stats: new StatsReader() }
    this.#kept.delete(serverId)
    this.#kept.set(serverId, kept)
    const [oldest] = this.#kept.size > KEPT_SERVERS ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
    return kept
  }
}
