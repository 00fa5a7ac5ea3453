import type { Crash, ItemResult, ServerConfig } from '../../../contract/bridge/values.ts'
import { splitLast } from '../../../contract/rules/paths.ts'
import { call, send } from '../../core/bridge.ts'
import type { Scope } from '../../../contract/declarations/operation.ts'
import { missingScope } from '../../core/servers/power.ts'
import { href } from '../../core/routes/route.ts'
import type { ServerState } from '../../core/servers/server-state.svelte.ts'
import { memory } from '../../messages/format.ts'
import { said, t } from '../../messages/t.svelte.ts'
import { notify } from '../../ui/feedback/notices.svelte.ts'
import { isOwnMemory } from '../../../contract/rules/crash-title.ts'

export type CrashFix =
  | { kind: 'act'; label: string; scopes: 'owner' | readonly Scope[]; run: () => Promise<void> }
  | { kind: 'way'; label: string; href: string }

export interface FixContext {
  server: ServerState
  crash: Crash
  config: ServerConfig | null
  etag: string | null
}

// Computed, because a message has the same name and a plain literal would count as a use of it.
export const UNDO_EXTENSIONS = `${'extensions'}.undo` as const
/** Suffix of jars that the server does not load. */
const OFF = '.disabled'
/** In MiB. */
const STEP = 512
const FILES_MOST = 3

/** Possible fixes, most likely first. */
export function crashFixesOf(mended: FixContext): CrashFix[] {
  const { server, crash } = mended
  const again = startAgain(server)
  const facts = crash.facts ?? {}
  switch (crash.cause) {
    case 'eula':
      return crash.license ? [acceptLicense(mended, crash.license.url)] : [again]
    case 'port-in-use':
      return [usePort(server), again]
    case 'out-of-memory': {
      const raise = isOwnMemory(facts) ? raiseMemory(mended) : null
      return [...(raise ? [raise] : []), again, wayTo(server, 'general', t('crash.settings'))]
    }
    case 'wrong-java':
      return [...javaMends(mended), again]
    case 'wrong-minecraft':
    case 'wrong-loader': {
      const change = wayTo(server, 'software', t('crash.change-version'))
      const find = wayTo(server, 'extensions', t('crash.find-fitting'))
      // If many mods don't fit, the mods aren't the problem.
      const mods = facts['count'] === undefined ? ofMods(mended) : []
      return [change, ...(crash.cause === 'wrong-minecraft' ? [find] : []), ...mods, again]
    }
    case 'missing-dependency':
      return [wayTo(server, 'extensions', t('crash.find-missing')), ...ofMods(mended), again]
    case 'extension-error':
      return [
        ...goBack(server, crash),
        ...(crash.files ?? []).slice(0, 1).map((jar) => turnOff(server, jar, { starts: true })),
        again,
        open(server, splitLast(crash.files?.[0] ?? '').folder),
      ]
    case 'clashing-extensions':
    case 'duplicate-extension':
    case 'wrong-software':
    case 'wrong-side':
    case 'broken-extension':
    case 'mixin':
      return [...ofMods(mended), again]
    case 'disk-full': {
      const trash = href({ ...at(server), tab: 'files', trash: true })
      return [{ kind: 'way', label: t('crash.trash'), href: trash }, again]
    }
    case 'datapacks':
      return [...(crash.safely ? [startSafely(server)] : []), again, open(server, '')]
    case 'world-corrupt':
      return [
        ...(crash.files ?? []).slice(0, 1).map((level) => useOlder(server, level)),
        again,
        open(server, ''),
      ]
    case 'chunk-corrupt': {
      const regions = crash.files ?? []
      const folder = splitLast(regions[0] ?? '').folder
      return [
        ...regions.slice(0, FILES_MOST).map((file) => setAside(server, file)),
        again,
        open(server, folder),
      ]
    }
    case 'world-newer':
      return [wayTo(server, 'software', t('crash.change-version')), open(server, ''), again]
    default:
      return [again]
  }
}

function ofMods({ server, crash }: FixContext): CrashFix[] {
  const jars = (crash.files ?? []).slice(0, FILES_MOST)
  return [...jars.map((jar) => turnOff(server, jar)), open(server, jars[0]?.split('/')[0] ?? '')]
}

const at = ({ connectionId, serverId }: ServerState) => ({ view: 'server', connectionId, serverId }) as const
const filesHref = (server: ServerState, path: string) => href({ ...at(server), tab: 'files', path })
const wayTo = (
  server: ServerState,
  to: 'extensions' | 'general' | 'java' | 'software',
  label: string,
): CrashFix => ({
  ...{ kind: 'way', label },
  href: href({ ...at(server), ...(to === 'extensions' ? { tab: to } : { tab: 'settings', section: to }) }),
})

const open = (server: ServerState, path: string): CrashFix => ({
  ...{ kind: 'way', label: t('crash.open-files'), href: filesHref(server, path) },
})

const of = ({ connectionId, serverId }: ServerState) => ({ connectionId, params: { serverId } })

const start = async (server: ServerState): Promise<void> => {
  await send('servers.power', { ...of(server), body: { action: 'start' } })
}

const startAgain = (server: ServerState): CrashFix => ({
  kind: 'act',
  label: t('crash.start'),
  scopes: ['control.start'],
  run: () => start(server),
})

const usePort = (server: ServerState): CrashFix => ({
  kind: 'act',
  label: t('crash.use-port'),
  scopes: ['config.write', 'control.start'],
  async run() {
    const moved = await send('servers.change-port', { ...of(server), body: {} })
    const port = moved?.port ?? null
    if (port !== null) notify({ tone: 'done', text: () => t('crash.port-moved', { port: String(port) }) })
    await start(server)
  },
})

const startSafely = (server: ServerState): CrashFix => ({
  kind: 'act',
  label: t('crash.start-safely'),
  scopes: ['control.start'],
  async run() {
    await send('servers.start-safely', of(server))
    notify({ tone: 'done', text: () => t('crash.started-safely') })
  },
})

/** Replaces a damaged file with the copy Minecraft keeps. The damaged one goes to the trash. */
const useOlder = (server: ServerState, level: string): CrashFix => ({
  kind: 'act',
  label: t('crash.older-level'),
  scopes: ['files.write', 'control.start'],
  async run() {
    const { connectionId, serverId } = server
    const items = [{ from: `${level}_old`, to: level }]
    const { results } = await call('files.copy', { connectionId, serverId, items, conflict: 'replace' })
    if (tellFailure(results)) return
    notify({ tone: 'done', text: () => t('crash.older-level-used') })
    await start(server)
  },
})

/** Does not start the server: it would generate that part of the world again. */
function setAside(server: ServerState, path: string): CrashFix {
  const { connectionId, serverId } = server
  return {
    ...{ kind: 'act', label: t('crash.set-aside', { file: path }), scopes: ['files.delete'] },
    async run() {
      const { results } = await call('files.remove', { connectionId, serverId, paths: [path] })
      if (!tellFailure(results))
        notify({ tone: 'done', text: () => t('crash.set-aside-done', { file: path }) })
    },
  }
}

/** Shows the failure, if any, and returns true if there was one. */
function tellFailure([result]: readonly ItemResult[]): boolean {
  if (result?.outcome === 'done') return false
  const error = result?.error
  notify({ tone: 'error', text: () => (error ? said(error) : t('crash.not-mended')) })
  return true
}

const acceptLicense = ({ server }: FixContext, url: string): CrashFix => ({
  kind: 'act',
  label: t('crash.accept'),
  scopes: 'owner',
  async run() {
    await send('servers.accept-license', { ...of(server), body: { url } })
    await start(server)
  },
})

/** Half as much again, rounded to whole steps and limited to `most`. */
export function raisedTo(now: number, most: number | null): number | null {
  const wish = Math.ceil((now * 1.5) / STEP) * STEP
  const to = most === null ? wish : Math.min(wish, Math.floor(most / STEP) * STEP)
  return to > now ? to : null
}

function raiseMemory({ server, config, etag }: FixContext): CrashFix | null {
  const to = config?.memoryMb ? raisedTo(config.memoryMb, config.memoryMostMb ?? null) : null
  if (to === null) return null
  return changeAndStart(server, etag, t('crash.raise', { memory: memory(to) }), { memoryMb: to })
}

function javaMends({ server, crash, config, etag }: FixContext): CrashFix[] {
  const { needed, atMost, present, extension, count } = crash.facts ?? {}
  const major = needed ?? atMost
  if (typeof config?.java !== 'string') return []
  const choose = wayTo(server, 'java', t('crash.choose-java'))
  // The chosen Java doesn't suit the server. The automatic choice may still not suit a mod.
  const isOfMod = extension !== undefined || count !== undefined
  if (!isOfMod && config.java !== 'auto' && config.java === String(present))
    return [changeAndStart(server, etag, t('crash.auto-java'), { java: 'auto' }), choose]
  if (major === undefined) return [choose]
  const label = t('crash.use-java', { major: String(major) })
  return [changeAndStart(server, etag, label, { java: String(major) }), choose]
}

function changeAndStart(
  server: ServerState,
  etag: string | null,
  label: string,
  body: { memoryMb?: number; java?: string },
): CrashFix {
  return {
    ...{ kind: 'act', label, scopes: ['config.write', 'control.start'] },
    async run() {
      await send('servers.change-config', { ...of(server), body, ifMatch: etag })
      await start(server)
    },
  }
}

/** Of this extension alone; whatever else was changed with it stays. */
function goBack(server: ServerState, { files, versionBefore: version }: Crash): CrashFix[] {
  const path = files?.[0]
  if (!version || path === undefined) return []
  return [
    {
      ...{ kind: 'act', label: t('crash.go-back', { version }) },
      scopes: ['extensions.write', 'control.start'],
      async run() {
        await send(UNDO_EXTENSIONS, { ...of(server), query: { path } })
        await start(server)
      },
    },
  ]
}

function turnOff(server: ServerState, jar: string, { starts = false } = {}): CrashFix {
  const { connectionId, serverId } = server
  const file = jar.split('/').at(-1) ?? jar
  return {
    kind: 'act',
    label: t(starts ? 'crash.disable-start' : 'crash.disable', { file }),
    scopes: starts ? ['files.write', 'control.start'] : ['files.write'],
    async run() {
      const items = [{ from: jar, to: jar + OFF }]
      const { results } = await call('files.move', { connectionId, serverId, items, conflict: 'keep-both' })
      if (tellFailure(results)) return
      const [moved] = results
      const to = (moved?.finalPath ?? jar + OFF).split('/').at(-1) ?? ''
      notify({ tone: 'done', text: () => t('crash.disabled', { file, to }) })
      if (starts) await start(server)
    },
  }
}

export function fixReason(mend: Extract<CrashFix, { kind: 'act' }>, server: ServerState): string | null {
  if (server.reach !== 'ready') return t('power.no-service')
  const role = server.server?.role
  if (mend.scopes === 'owner') return Array.isArray(role) ? t('crash.may-not-license') : null
  const scope = missingScope(role, mend.scopes)
  return scope ? t('power.no-scope', { scope }) : null
}
