import type { CrashRefusalId, RefusalArguments, RefusalText } from '../messages/refusals/index.ts'

type Facts = Readonly<Record<string, string | number>>
type Title = Omit<RefusalText, 'message'>

/** `jar`: file name of the likely culprit, without its ending. */
export function crashTitle(cause: string, facts: Facts, jar: string | undefined): Title | null {
  return Object.hasOwn(titles, cause) ? titles[cause as CrashTitleCause](facts, jar) : null
}

const title = <I extends CrashRefusalId>(sentence: I, ...[values]: RefusalArguments<I>): Title => ({
  sentence,
  values: values ?? {},
})

/** Null for a fact that isn't given. */
export const nameOf = (value: string | number | undefined): string | null =>
  value === undefined || value === '' ? null : String(value)

const VERSION = /^\d[\w.+-]*$/

function ofJava({ needed, atMost, extension, count }: Facts): Title {
  const [wanted, who, many] = [nameOf(needed) ?? nameOf(atMost), nameOf(extension), nameOf(count)]
  if (wanted === null) return title('crash.java-untold')
  if (many !== null) return title('crash.java-many', { count: many, needed: wanted })
  return who === null
    ? title('crash.java', { needed: wanted })
    : title('crash.java-of', { extension: who, needed: wanted })
}

function ofMinecraft({ extension, count, wanted }: Facts): Title {
  const [who, many, version] = [nameOf(extension), nameOf(count), nameOf(wanted)]
  const one = version !== null && VERSION.test(version) ? version : null
  if (many !== null)
    return one === null
      ? title('crash.minecraft-many', { count: many })
      : title('crash.minecraft-many-version', { count: many, wanted: one })
  if (who === null) return title('crash.minecraft-untold')
  return one === null
    ? title('crash.minecraft', { extension: who })
    : title('crash.minecraft-version', { extension: who, wanted: one })
}

function ofLoader({ extension, count, loader }: Facts): Title {
  const [who, many, of] = [nameOf(extension), nameOf(count), nameOf(loader)]
  if (of !== null && many !== null) return title('crash.loader-many', { count: many, loader: of })
  return of !== null && who !== null
    ? title('crash.loader', { extension: who, loader: of })
    : title('crash.loader-untold')
}

function ofMissing({ extension, count, missing }: Facts): Title {
  const [who, many, what] = [nameOf(extension), nameOf(count), nameOf(missing)]
  if (what === null) return title('crash.missing-untold')
  if (many !== null) return title('crash.missing-many', { count: many, missing: what })
  return who === null
    ? title('crash.missing-one', { missing: what })
    : title('crash.missing', { extension: who, missing: what })
}

function ofSide({ extension, missing }: Facts): Title {
  const [who, needed] = [nameOf(extension), nameOf(missing)]
  if (who === null) return title('crash.side-untold')
  return needed === null
    ? title('crash.side', { extension: who })
    : title('crash.side-needs', { extension: who, missing: needed })
}

function ofClash({ extension, other }: Facts): Title {
  const [one, two] = [nameOf(extension), nameOf(other)]
  return one === null || two === null
    ? title('crash.clash-untold')
    : title('crash.clash', { extension: one, other: two })
}

function ofSoftware({ extension, software }: Facts): Title {
  const [who, of] = [nameOf(extension), nameOf(software)]
  return who === null || of === null
    ? title('crash.software-untold')
    : title('crash.software', { extension: who, software: of })
}

const ofOne =
  (
    known: 'crash.duplicate' | 'crash.broken' | 'crash.mixin',
    untold: 'crash.duplicate-untold' | 'crash.broken-untold' | 'crash.mixin-untold',
  ) =>
  ({ extension }: Facts): Title => {
    const who = nameOf(extension)
    return who === null ? title(untold) : title(known, { extension: who })
  }

const titles = {
  eula: () => title('crash.eula'),
  'port-in-use': ({ port }) =>
    port === undefined ? title('crash.port-untold') : title('crash.port', { port: String(port) }),
  'world-locked': ({ world }) => {
    const its = nameOf(world)
    return its === null ? title('crash.locked-untold') : title('crash.locked', { world: its })
  },
  'disk-full': () => title('crash.disk'),
  'out-of-memory': (facts) =>
    title(
      isContainerMemory(facts) ? 'crash.container' : isOwnMemory(facts) ? 'crash.memory' : 'crash.computer',
    ),
  'wrong-java': ofJava,
  'world-newer': () => title('crash.newer'),
  'wrong-minecraft': ofMinecraft,
  'wrong-loader': ofLoader,
  'wrong-software': ofSoftware,
  'missing-dependency': ofMissing,
  'clashing-extensions': ofClash,
  'duplicate-extension': ofOne('crash.duplicate', 'crash.duplicate-untold'),
  'wrong-side': ofSide,
  'broken-extension': ofOne('crash.broken', 'crash.broken-untold'),
  mixin: ofOne('crash.mixin', 'crash.mixin-untold'),
  'extension-error': (_facts, jar) =>
    jar === undefined ? title('crash.extension-untold') : title('crash.extension', { extension: jar }),
  datapacks: () => title('crash.packs'),
  'world-corrupt': () => title('crash.world'),
  'chunk-corrupt': ({ x, z }) =>
    x === undefined || z === undefined
      ? title('crash.chunk-untold')
      : title('crash.chunk', { x: String(x), z: String(z) }),
} satisfies Record<string, (facts: Facts, jar: string | undefined) => Title>

/** Causes with a title. */
type CrashTitleCause = keyof typeof titles

/** Not Java's own limit, but all that the server's container has. */
export const isContainerMemory = ({ where }: Facts): boolean => where === 'container'

/** The server reached its own limit, not the computer's. */
export const isOwnMemory = ({ where }: Facts): boolean => where !== 'computer' && where !== 'killed'
