import type { Crash } from '../../contract/bridge/values.ts'
import { splitLast } from '../../contract/rules/paths.ts'
import { memory } from '../messages/format.ts'
import { t } from '../messages/t.svelte.ts'

export interface CrashWords {
  what: string
  why: string
  now: string
}

export interface Memory {
  now: number | null
  most: number | null
}

type Cause = Extract<NonNullable<Crash['cause']>, string>
type Facts = NonNullable<Crash['facts']>

export function crashWords(crash: Crash, limits: Memory): CrashWords {
  const { cause } = crash
  const words = typeof cause === 'string' ? table[cause] : undefined
  if (words) return words(crash.facts ?? {}, limits, crash.files ?? [])
  return { what: t('crash.none.what'), why: t('crash.none.why'), now: t('crash.none.now') }
}

/** Causes that restoring an earlier copy cannot fix. */
const OUTSIDE: ReadonlySet<unknown> = new Set<Cause>(['disk-full', 'port-in-use', 'world-locked', 'eula'])

export const mayComeOfChange = ({ cause }: Crash): boolean => !OUTSIDE.has(cause)

export const isOwnMemory = ({ where }: Facts): boolean => where !== 'computer' && where !== 'killed'

const name = (value: string | number | undefined): string | null =>
  value === undefined || value === '' ? null : String(value)

function ofMemory(facts: Facts, { now, most }: Memory): CrashWords {
  if (!isOwnMemory(facts))
    return { what: t('crash.computer.what'), why: t('crash.computer.why'), now: t('crash.computer.now') }
  return {
    what: t('crash.memory.what'),
    why: now === null ? t('crash.memory-untold.why') : t('crash.memory.why', { memory: memory(now) }),
    now: now !== null && most !== null && now >= most ? t('crash.memory-most.now') : t('crash.memory.now'),
  }
}

function ofJava({ needed, atMost, present, extension, count }: Facts): CrashWords {
  const wanted = name(needed) ?? name(atMost)
  return {
    what: javaWanted(wanted, name(extension), name(count)),
    why: present === undefined ? t('crash.java-untold.why') : t('crash.java.why', { present }),
    now: wanted === null ? t('crash.java-untold.now') : t('crash.java.now', { needed: wanted }),
  }
}

function javaWanted(needed: string | null, extension: string | null, count: string | null): string {
  if (needed === null) return t('crash.java-untold.what')
  if (count !== null) return t('crash.java-many.what', { count, needed })
  return extension === null
    ? t('crash.java.what', { needed })
    : t('crash.java-of.what', { extension, needed })
}

const VERSION = /^\d[\w.+-]*$/

function ofMinecraft({ extension, count, wanted, present }: Facts): CrashWords {
  const [who, many, version] = [name(extension), name(count), name(wanted)]
  const isOne = version !== null && VERSION.test(version)
  const what =
    many !== null
      ? isOne
        ? t('crash.minecraft-many-version.what', { count: many, wanted: version })
        : t('crash.minecraft-many.what', { count: many })
      : who === null
        ? t('crash.minecraft-untold.what')
        : isOne
          ? t('crash.minecraft-version.what', { extension: who, wanted: version })
          : t('crash.minecraft.what', { extension: who })
  return {
    what,
    why: present === undefined ? t('crash.minecraft-untold.why') : t('crash.minecraft.why', { present }),
    now: t('crash.minecraft.now'),
  }
}

function ofLoader({ extension, count, loader, present }: Facts): CrashWords {
  const [who, many, of] = [name(extension), name(count), name(loader)]
  const what =
    of !== null && many !== null
      ? t('crash.loader-many.what', { count: many, loader: of })
      : of !== null && who !== null
        ? t('crash.loader.what', { extension: who, loader: of })
        : t('crash.loader-untold.what')
  const why =
    of === null || present === undefined
      ? t('crash.loader-untold.why')
      : t('crash.loader.why', { loader: of, present })
  return { what, why, now: t('crash.loader.now') }
}

function ofMissing({ extension, count, missing }: Facts): CrashWords {
  const [who, many, what] = [name(extension), name(count), name(missing)]
  const needs =
    what === null
      ? t('crash.missing-untold.what')
      : many !== null
        ? t('crash.missing-many.what', { count: many, missing: what })
        : who === null
          ? t('crash.missing-one.what', { missing: what })
          : t('crash.missing.what', { extension: who, missing: what })
  return { what: needs, why: t('crash.missing.why'), now: t('crash.missing.now') }
}

function ofSide({ extension, missing }: Facts): CrashWords {
  const [who, needed] = [name(extension), name(missing)]
  if (who !== null && needed !== null)
    return {
      what: t('crash.side-needs.what', { extension: who, missing: needed }),
      why: t('crash.side-needs.why', { missing: needed }),
      now: t('crash.side-needs.now', { extension: who }),
    }
  return {
    what: who === null ? t('crash.side-untold.what') : t('crash.side.what', { extension: who }),
    why: t('crash.side.why'),
    now: t('crash.side.now'),
  }
}

function ofClash({ extension, other }: Facts): CrashWords {
  const [one, two] = [name(extension), name(other)]
  const what =
    one === null || two === null
      ? t('crash.clash-untold.what')
      : t('crash.clash.what', { extension: one, other: two })
  return { what, why: t('crash.clash.why'), now: t('crash.clash.now') }
}

/** Typed as a full record, so a cause without words does not compile. */
const table: Record<Cause, (facts: Facts, limits: Memory, files: readonly string[]) => CrashWords> = {
  eula: () => ({ what: t('crash.eula.what'), why: t('crash.eula.why'), now: t('crash.eula.now') }),
  'port-in-use': ({ port }) => ({
    what: port === undefined ? t('crash.port-untold.what') : t('crash.port.what', { port: String(port) }),
    why: t('crash.port.why'),
    now: t('crash.port.now'),
  }),
  'world-locked': ({ world }) => ({
    what:
      name(world) === null ? t('crash.locked-untold.what') : t('crash.locked.what', { world: String(world) }),
    why: t('crash.locked.why'),
    now: t('crash.locked.now'),
  }),
  'disk-full': () => ({ what: t('crash.disk.what'), why: t('crash.disk.why'), now: t('crash.disk.now') }),
  'out-of-memory': ofMemory,
  'wrong-java': ofJava,
  'world-newer': () => ({
    what: t('crash.newer.what'),
    why: t('crash.newer.why'),
    now: t('crash.newer.now'),
  }),
  'wrong-minecraft': ofMinecraft,
  'wrong-loader': ofLoader,
  'wrong-software': ({ extension, software }) => ({
    what:
      name(extension) === null || name(software) === null
        ? t('crash.software-untold.what')
        : t('crash.software.what', { extension: String(extension), software: String(software) }),
    why: t('crash.software.why'),
    now: t('crash.software.now'),
  }),
  'missing-dependency': ofMissing,
  'clashing-extensions': ofClash,
  'duplicate-extension': ({ extension }) => ({
    what:
      name(extension) === null
        ? t('crash.duplicate-untold.what')
        : t('crash.duplicate.what', { extension: String(extension) }),
    why: t('crash.duplicate.why'),
    now: t('crash.duplicate.now'),
  }),
  'wrong-side': ofSide,
  'broken-extension': ({ extension }) => ({
    what:
      name(extension) === null
        ? t('crash.broken-untold.what')
        : t('crash.broken.what', { extension: String(extension) }),
    why: t('crash.broken.why'),
    now: t('crash.broken.now'),
  }),
  mixin: ({ extension }) => ({
    what:
      name(extension) === null
        ? t('crash.mixin-untold.what')
        : t('crash.mixin.what', { extension: String(extension) }),
    why: t('crash.mixin.why'),
    now: t('crash.mixin.now'),
  }),
  'extension-error': (_facts, _limits, [jar]) => ({
    what:
      jar === undefined
        ? t('crash.extension-untold.what')
        : t('crash.extension.what', { extension: splitLast(jar).name.replace(/\.jar$/, '') }),
    why: t('crash.extension.why'),
    now: t('crash.extension.now'),
  }),
  datapacks: () => ({ what: t('crash.packs.what'), why: t('crash.packs.why'), now: t('crash.packs.now') }),
  'world-corrupt': (_facts, _limits, files) => ({
    what: t('crash.world.what'),
    why: t('crash.world.why'),
    now: files.length > 0 ? t('crash.world-older.now') : t('crash.world.now'),
  }),
  'chunk-corrupt': ({ x, z }) => ({
    what:
      x === undefined || z === undefined
        ? t('crash.chunk-untold.what')
        : t('crash.chunk.what', { x: String(x), z: String(z) }),
    why: t('crash.chunk.why'),
    now: t('crash.chunk.now'),
  }),
}
