import type { Crash } from '../../contract/bridge/values.ts'
import { crashTitle, isContainerMemory, isOwnMemory, nameOf } from '../../contract/rules/crash-title.ts'
import { splitLast } from '../../contract/rules/paths.ts'
import { memory } from '../messages/format.ts'
import { said, t } from '../messages/t.svelte.ts'

export interface CrashWords {
  what: string
  why: string
  now: string
}

type Advice = Omit<CrashWords, 'what'>

export interface Memory {
  now: number | null
  most: number | null
}

type Cause = Extract<NonNullable<Crash['cause']>, string>
type Facts = NonNullable<Crash['facts']>

export function crashWords(crash: Crash, limits: Memory): CrashWords {
  const { cause } = crash
  const [facts, files] = [crash.facts ?? {}, crash.files ?? []]
  const [jar] = files
  const culprit = jar === undefined ? undefined : splitLast(jar).name.replace(/\.jar$/, '')
  const title = typeof cause === 'string' ? crashTitle(cause, facts, culprit) : null
  const advice = typeof cause === 'string' ? table[cause] : undefined
  if (!title || !advice)
    return { what: t('crash.none.what'), why: t('crash.none.why'), now: t('crash.none.now') }
  return { what: said({ message: '', ...title }), ...advice(facts, limits, files) }
}

/** Causes that restoring an earlier copy cannot fix. */
const OUTSIDE: ReadonlySet<unknown> = new Set<Cause>(['disk-full', 'port-in-use', 'world-locked', 'eula'])

export const mayComeOfChange = ({ cause }: Crash): boolean => !OUTSIDE.has(cause)

function ofMemory(facts: Facts, { now, most }: Memory): Advice {
  if (!isOwnMemory(facts)) return { why: t('crash.computer.why'), now: t('crash.computer.now') }
  const own = now === null ? t('crash.memory-untold.why') : t('crash.memory.why', { memory: memory(now) })
  return {
    why: isContainerMemory(facts) ? t('crash.container.why') : own,
    now: now !== null && most !== null && now >= most ? t('crash.memory-most.now') : t('crash.memory.now'),
  }
}

function ofJava({ needed, atMost, present }: Facts): Advice {
  const wanted = nameOf(needed) ?? nameOf(atMost)
  return {
    why: present === undefined ? t('crash.java-untold.why') : t('crash.java.why', { present }),
    now: wanted === null ? t('crash.java-untold.now') : t('crash.java.now', { needed: wanted }),
  }
}

function ofMinecraft({ present }: Facts): Advice {
  return {
    why: present === undefined ? t('crash.minecraft-untold.why') : t('crash.minecraft.why', { present }),
    now: t('crash.minecraft.now'),
  }
}

function ofLoader({ loader, present }: Facts): Advice {
  const of = nameOf(loader)
  const why =
    of === null || present === undefined
      ? t('crash.loader-untold.why')
      : t('crash.loader.why', { loader: of, present })
  return { why, now: t('crash.loader.now') }
}

function ofSide({ extension, missing }: Facts): Advice {
  const [who, needed] = [nameOf(extension), nameOf(missing)]
  if (who !== null && needed !== null)
    return {
      why: t('crash.side-needs.why', { missing: needed }),
      now: t('crash.side-needs.now', { extension: who }),
    }
  return { why: t('crash.side.why'), now: t('crash.side.now') }
}

/** Typed as a full record, so a cause without words does not compile. */
const table: Record<Cause, (facts: Facts, limits: Memory, files: readonly string[]) => Advice> = {
  eula: () => ({ why: t('crash.eula.why'), now: t('crash.eula.now') }),
  'port-in-use': () => ({ why: t('crash.port.why'), now: t('crash.port.now') }),
  'world-locked': () => ({ why: t('crash.locked.why'), now: t('crash.locked.now') }),
  'disk-full': () => ({ why: t('crash.disk.why'), now: t('crash.disk.now') }),
  'out-of-memory': ofMemory,
  'wrong-java': ofJava,
  'world-newer': () => ({ why: t('crash.newer.why'), now: t('crash.newer.now') }),
  'wrong-minecraft': ofMinecraft,
  'wrong-loader': ofLoader,
  'wrong-software': () => ({ why: t('crash.software.why'), now: t('crash.software.now') }),
  'missing-dependency': () => ({ why: t('crash.missing.why'), now: t('crash.missing.now') }),
  'clashing-extensions': () => ({ why: t('crash.clash.why'), now: t('crash.clash.now') }),
  'duplicate-extension': () => ({ why: t('crash.duplicate.why'), now: t('crash.duplicate.now') }),
  'wrong-side': ofSide,
  'broken-extension': () => ({ why: t('crash.broken.why'), now: t('crash.broken.now') }),
  mixin: () => ({ why: t('crash.mixin.why'), now: t('crash.mixin.now') }),
  'extension-error': () => ({ why: t('crash.extension.why'), now: t('crash.extension.now') }),
  datapacks: () => ({ why: t('crash.packs.why'), now: t('crash.packs.now') }),
  'world-corrupt': (_facts, _limits, files) => ({
    why: t('crash.world.why'),
    now: files.length > 0 ? t('crash.world-older.now') : t('crash.world.now'),
  }),
  'chunk-corrupt': () => ({ why: t('crash.chunk.why'), now: t('crash.chunk.now') }),
}
