import type { z } from 'zod'
import {
  type Player,
  type PlayerActRequest,
  type PlayerAction,
  type PlayerActResult,
  PLAYERS_MOST,
  type UnreadableList,
} from '../../contract/areas/players.ts'
import type { PlayerBook } from '../../contract/rules/game/player-acts.ts'
import { compareVersions } from '../../contract/rules/version-order.ts'
import { FIRST_MANAGED } from '../../host/management/messages.ts'
import { HostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { askConsole } from '../console/ask-console.ts'
import type { Consoles } from '../console/consoles.ts'
import { type CommandedGame, GamePlayers } from '../game/players.ts'
import { Names } from './answers.ts'
import { type ExarotonApi, serverPath } from './exaroton-api.ts'
import type { ExarotonFiles } from './files.ts'
import type { ServerConsole } from './server-console.ts'
import { type ExarotonServers, ONLINE, stateOf } from './servers.ts'

type ListName = Exclude<UnreadableList, 'usercache'>

const LISTS = ['whitelist', 'ops', 'bans'] as const satisfies readonly ListName[]
const AT_EXAROTON: Record<ListName, string> = { whitelist: 'whitelist', ops: 'ops', bans: 'banned-players' }
const CHANGES: Partial<Record<PlayerAction, { list: ListName; adds: boolean }>> = {
  op: { list: 'ops', adds: true },
  deop: { list: 'ops', adds: false },
  'whitelist-add': { list: 'whitelist', adds: true },
  'whitelist-remove': { list: 'whitelist', adds: false },
  ban: { list: 'bans', adds: true },
  pardon: { list: 'bans', adds: false },
}
const NAME_MOST = 64
/** A running server writes its settings soon after it confirmed a change, ms. */
const WRITTEN_MS = 10_000
/** There are no uuids, and reading the game's files takes requests. */
const BY_NAME: PlayerBook = { find: () => null, uuidOf: () => null }

/** The lists of a server's players, and what is done to them. Names only: there are no uuids. */
export class ExarotonPlayers {
  readonly #api: ExarotonApi
  readonly #servers: ExarotonServers
  readonly #files: ExarotonFiles
  readonly #consoles: Consoles<ServerConsole>
  readonly #acts = new GamePlayers()
  readonly #turned = new Map<string, { at: number; enabled: boolean }>()

  constructor(
    api: ExarotonApi,
    servers: ExarotonServers,
    files: ExarotonFiles,
    consoles: Consoles<ServerConsole>,
  ) {
    this.#api = api
    this.#servers = servers
    this.#files = files
    this.#consoles = consoles
  }

  async list(id: string, caller: Caller) {
    const { players, status } = this.#servers.known(id) ?? (await this.#servers.look(id, caller))
    const online = status === ONLINE ? (players?.list ?? []) : []
    const isAll = status !== ONLINE || online.length >= (players?.count ?? Infinity)
    const there = await this.#api.read(`${serverPath(id)}/playerlists/`, Names, caller)
    const found: Partial<Record<ListName, ReadonlySet<string>>> = {}
    const unreadable: ListName[] = []
    let refusal: HostRefusal | null = null
    for (const list of LISTS.filter((one) => there.includes(AT_EXAROTON[one]))) {
      try {
        found[list] = new Set(await this.#entries(id, list, caller))
      } catch (error) {
        if (!(error instanceof HostRefusal) || error.status === 401) throw error
        refusal = error
        unreadable.push(list)
      }
    }
    if (refusal && Object.keys(found).length === 0) throw refusal
    const names = new Set([...online, ...LISTS.flatMap((list) => [...(found[list] ?? [])])].filter(isName))
    const isOn = new Set(online)
    const items = [...names].slice(0, PLAYERS_MOST).map((name): z.input<typeof Player> => ({
      name,
      ...((isOn.has(name) || isAll) && { online: isOn.has(name) }),
      ...(found.whitelist && { whitelisted: found.whitelist.has(name) }),
      ...(found.ops && { op: found.ops.has(name) }),
      ...(found.bans && { banned: found.bans.has(name) ? {} : null }),
    }))
    return { items, nextCursor: null, ...(unreadable.length > 0 && { unreadable }) }
  }

  /** Lists are exaroton's own, which finds the uuids; all else is up to the game. */
  async act(
    id: string,
    act: PlayerActRequest,
    caller: Caller,
  ): Promise<{ results: PlayerActResult[]; running: boolean }> {
    const change = CHANGES[act.action]
    if (change && !act.reason && !act.until) {
      const { status } = await this.#servers.look(id, caller)
      return { results: await this.#change(id, change, act.names, caller), running: status === ONLINE }
    }
    using held = this.#consoles.hold(id, caller.key)
    return await this.#acts.act(await this.#game(id, held.console, caller), act, caller)
  }

  async command(id: string, command: string, caller: Caller): Promise<void> {
    const json = { command }
    await this.#api.send(`${serverPath(id)}/command`, caller, { method: 'POST', json, isUrgent: true })
  }

  async whitelist(id: string, caller: Caller): Promise<boolean | null> {
    const turned = this.#turned.get(id)
    if (turned && performance.now() - turned.at < WRITTEN_MS) return turned.enabled
    this.#turned.delete(id)
    return this.#acts.whitelist({ files: this.#files.game(id) }, caller)
  }

  async turnWhitelist(id: string, enabled: boolean, caller: Caller): Promise<void> {
    using held = this.#consoles.hold(id, caller.key)
    const game = await this.#game(id, held.console, caller)
    await this.#acts.turnWhitelist(game, enabled, caller)
    this.#turned.set(id, { at: performance.now(), enabled })
  }

  async #game(id: string, console: ServerConsole, caller: Caller): Promise<CommandedGame> {
    const { software } = this.#servers.known(id) ?? (await this.#servers.look(id, caller))
    const isManaged = compareVersions(software?.version ?? '', FIRST_MANAGED) >= 0
    return {
      ...{ id, files: this.#files.game(id), book: BY_NAME },
      state: async (asker) => stateOf(await this.#servers.look(id, asker)),
      ask: (command, read, patience, asker) =>
        askConsole(console.lines(), () => this.command(id, command, asker), read, patience),
      management: isManaged ? console.management : null,
    }
  }

  async #change(
    id: string,
    { list, adds }: { list: ListName; adds: boolean },
    names: readonly string[],
    caller: Caller,
  ): Promise<PlayerActResult[]> {
    const held = new Set((await this.#entries(id, list, caller)).map((name) => name.toLowerCase()))
    const entries = names.filter((name) => held.has(name.toLowerCase()) !== adds)
    if (entries.length > 0)
      await this.#api.send(this.#path(id, list), caller, {
        ...{ method: adds ? ('PUT' as const) : ('DELETE' as const) },
        json: { entries },
      })
    const changed = new Set(entries)
    return names.map((name) => ({ name, outcome: changed.has(name) ? 'done' : 'unchanged' }))
  }

  async #entries(id: string, list: ListName, caller: Caller): Promise<string[]> {
    const names = await this.#api.read(this.#path(id, list), Names, caller)
    return names.filter((name): name is string => typeof name === 'string')
  }

  #path = (id: string, list: ListName) => `${serverPath(id)}/playerlists/${AT_EXAROTON[list]}/`
}

const isName = (name: string): boolean => name !== '' && name.length <= NAME_MOST
