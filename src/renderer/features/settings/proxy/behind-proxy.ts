import type { Server, ServerConfig } from '../../../../contract/bridge/values.ts'
import { addressText, gameAddress } from '../../../../contract/rules/game-address.ts'
import { asProblem, call, Problem, send } from '../../../core/bridge.ts'
import { LiveView } from '../../../core/live-view.svelte.ts'
import { addressOf } from '../../../core/servers/server-facts.ts'
import { t } from '../../../messages/t.svelte.ts'
import { edit } from '../../editor/tree/model/edit.ts'
import { loadReader, type Reader } from '../../editor/tree/model/read-tree.ts'
import type { NewValue, Tree, TreeNode } from '../../editor/tree/model/tree.ts'
import type { RelatedSettings } from './velocity-text.ts'

const PAPER_FILE = 'config/paper-global.yml'
/** Servers with Paper's global config file. */
const PAPER_KINDS: readonly string[] = ['paper', 'purpur', 'folia']
const OPEN = /^(localhost|0\.0\.0\.0|\[::1?\])(?=:|$)/i

export type BackendState =
  | { kind: 'checking' }
  /** Unknown settings. */
  | { kind: 'by-hand' }
  /** Never run, so its settings are not written yet. */
  | { kind: 'never-run' }
  /** `isHalf`: it has the proxy's secret and only has to turn online mode off. */
  | { kind: 'needed'; isHalf: boolean }
  | { kind: 'ready' }
  | { kind: 'failed'; problem: Problem }

export interface Proxy extends RelatedSettings {
  connectionId: string
  serverId: string
}

/** `beside`: loopback leads to it, while the address of the LAN may change. */
export function addressBehind(server: Server, beside: boolean): string | null {
  const port = server.address && gameAddress(server.address)?.port
  return beside && port ? `127.0.0.1:${port}` : addressOf(server)
}

/** Finds the server for an address as shown in the panel, or as given by `addressBehind`. */
export function serverAt(servers: readonly Server[], address: string, beside: boolean): Server | undefined {
  const plain = (text: string) => text.toLowerCase().replace(OPEN, '127.0.0.1')
  const wanted = plain(address)
  return servers.find((server) => {
    const own = server.address ? gameAddress(server.address) : null
    const usual = own && addressText({ ...own, port: own.port ?? 25565 })
    const ways = [addressOf(server), usual, addressBehind(server, beside)]
    return ways.some((one) => one !== null && plain(one) === wanted)
  })
}

/** A unique one-word name, as Velocity's commands need it. */
export function nameFor(name: string, taken: readonly string[]): string {
  const word =
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^a-z\d]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 30) || 'server'
  for (let number = 1; ; number++) {
    const tried = number === 1 ? word : `${word}-${number}`
    if (!taken.includes(tried) && tried !== 'try') return tried
  }
}

/** The forwarding secret. Throws a `Problem`. */
export async function readSecret({ connectionId, serverId, secretFile }: Proxy): Promise<string | null> {
  if (secretFile === null) return null
  const { content } = await call('files.read-text', { connectionId, serverId, path: secretFile })
  const secret = content.kind === 'text' ? content.text.trim() : ''
  return secret === '' ? null : secret
}

/** Reads the secret once for all callers, but retries after a failure or an empty result. */
export function secretOnce(proxy: Proxy): () => Promise<string | null> {
  let reading: Promise<string | null> | null = null
  const forget = () => {
    reading = null
  }
  return () => {
    if (reading) return reading
    reading = readSecret(proxy)
    reading.then((secret) => secret ?? forget(), forget)
    return reading
  }
}

interface BackendSettings {
  config: ServerConfig
  tag: string | null
  etag: string | null
  tree: Tree
  read: Reader
}

/** Throws a `Problem`. */
async function findOut(connectionId: string, server: Server): Promise<BackendSettings | BackendState> {
  if (!PAPER_KINDS.includes(server.software?.id ?? '')) return { kind: 'by-hand' }
  const config = new LiveView('servers.read-config', { connectionId, params: { serverId: server.id } })
  const [, file, read] = await Promise.all([
    config.again(),
    call('files.read-text', { connectionId, serverId: server.id, path: PAPER_FILE }).catch((thrown) => {
      const problem = asProblem(thrown)
      if (problem.code === 'not-found') return null
      throw problem
    }),
    loadReader('yaml'),
  ])
  if (config.problem) throw new Problem(config.problem)
  if (!config.value) return { kind: 'by-hand' }
  if (file === null) return { kind: 'never-run' }
  const found = file.content.kind === 'text' ? read(file.content.text) : null
  const hasMode = config.value.properties?.some(({ key }) => key === 'online-mode')
  if (!found?.ok || !hasMode) return { kind: 'by-hand' }
  return { config: config.value, tag: config.tag, etag: file.etag, tree: found.tree, read }
}

const at = (tree: Tree, path: readonly string[]): TreeNode | undefined =>
  path.reduce<TreeNode | undefined>((node, key) => node?.children.find((one) => one.key === key), tree.root)

const isOffline = ({ config }: BackendSettings): boolean =>
  String(config.properties?.find(({ key }) => key === 'online-mode')?.value ?? 'true') === 'false'

const wantedOf = (proxy: Proxy, secret: string) =>
  [
    ['enabled', 'boolean', 'true'],
    ['online-mode', 'boolean', String(proxy.onlineMode)],
    ['secret', 'text', secret],
  ] as const

/** Reads the secret only if needed for comparison. Never throws. */
export async function check(
  proxy: Proxy,
  server: Server,
  secretOf: () => Promise<string | null>,
): Promise<BackendState> {
  try {
    const found = await findOut(proxy.connectionId, server)
    if ('kind' in found) return found
    const secret = await secretOf()
    if (secret === null) return { kind: 'by-hand' }
    const isTold = wantedOf(proxy, secret).every(
      ([key, , text]) => at(found.tree, ['proxies', 'velocity', key])?.text === text,
    )
    return isTold && isOffline(found) ? { kind: 'ready' } : { kind: 'needed', isHalf: isTold }
  } catch (thrown) {
    return { kind: 'failed', problem: asProblem(thrown) }
  }
}

/** Writes the secret before turning online mode off, so unverified names are never accepted. Never throws. */
export async function setUp(proxy: Proxy, server: Server): Promise<BackendState> {
  const { connectionId } = proxy
  try {
    // Nobody would verify players then.
    if (!proxy.onlineMode)
      throw new Problem({ code: 'invalid', message: t('proxy.unchecked'), retryable: false })
    const [found, secret] = await Promise.all([findOut(connectionId, server), readSecret(proxy)])
    if ('kind' in found) return found
    const text = secret === null ? null : told(found, proxy, secret)
    if (text === null) return { kind: 'by-hand' }
    if (text !== found.tree.text) {
      const base =
        found.etag === null ? ({ kind: 'overwrite' } as const) : ({ kind: 'etag', etag: found.etag } as const)
      await call('files.write-text', { connectionId, serverId: server.id, path: PAPER_FILE, text, base })
    }
    if (!isOffline(found)) {
      const properties = [{ key: 'online-mode', value: 'false' }]
      const params = { serverId: server.id }
      await send('servers.change-config', { connectionId, params, body: { properties }, ifMatch: found.tag })
    }
    return { kind: 'ready' }
  } catch (thrown) {
    return { kind: 'failed', problem: asProblem(thrown) }
  }
}

/** Null if forwarding cannot be enabled without other changes to the file. */
function told(found: BackendSettings, proxy: Proxy, secret: string): string | null {
  let { tree } = found
  const put = (path: readonly string[], value: NewValue): boolean => {
    const there = at(tree, path)
    const isMap = value.kind === 'map'
    if (there && (isMap ? there.kind === 'map' : 'text' in value && there.text === value.text)) return true
    const node = there ?? at(tree, path.slice(0, -1))
    if (!node || (there && isMap)) return false
    const done = edit(
      tree,
      found.read,
      there && 'text' in value ? { act: 'set', node, value } : { act: 'add', node, key: path.at(-1)!, value },
    )
    if (done.ok) tree = done.tree
    return done.ok
  }
  const isDone =
    put(['proxies'], { kind: 'map' }) &&
    put(['proxies', 'velocity'], { kind: 'map' }) &&
    wantedOf(proxy, secret).every(([key, kind, text]) => put(['proxies', 'velocity', key], { kind, text }))
  return isDone ? tree.text : null
}
