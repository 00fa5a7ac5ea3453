import type { Entry } from './log-lines.ts'

/** Why a server can have crashed, as far as it can be told. */
export type CrashCause =
  /** The EULA was not agreed to. */
  | 'eula'
  /** `port` */
  | 'port-in-use'
  /** `world`: another program has it open. */
  | 'world-locked'
  | 'disk-full'
  /** `where`: `heap`, `metaspace`, `direct`, `threads`, `computer` (it has too little), `killed` (by the system). */
  | 'out-of-memory'
  /** `needed`, `present`, `atMost`: majors of Java. `extension`: whose, where it is not the server's own. */
  | 'wrong-java'
  /** `saved`, `present`: data versions of Minecraft. */
  | 'world-newer'
  /** `extension`, `missing` (one name, or several with commas), `version`. */
  | 'missing-dependency'
  /** `extension`, `other`, `wanted`, `present`. */
  | 'clashing-extensions'
  /** `extension`, `files`. */
  | 'duplicate-extension'
  /** `extension`: made for the players' side. */
  | 'wrong-side'
  /** `extension`, `config`: it changes the game's code in a way that failed. */
  | 'mixin'
  | 'datapacks'
  | 'world-corrupt'
  /** `x`, `z` */
  | 'chunk-corrupt'

/** Names, versions, ports. */
export type CrashFacts = Record<string, string | number>

/** What one line tells. */
export interface CrashRule {
  cause: CrashCause
  /** Matches from the beginning of what is said: what players write stands behind a name. */
  pattern: RegExp
  facts?(match: RegExpExecArray, entries: readonly Entry[], at: number): CrashFacts | null
  /** Said at level INFO, as chat is too. */
  isInfo?: true
  /** The server may well have gone on. */
  isHarmless?: true
}

/** What may stand before an exception. */
const THROWN = String.raw`^\s?(?:Caused by: |Exception: |Exception message: |Exception in thread "[^"]{1,100}" |Terminating due to )?`
const NAME = String.raw`[\w.$-]{1,100}`
const of = (...parts: string[]): RegExp => new RegExp(parts.join(''))
const javaOf = (classVersion: string | undefined) => Number(classVersion) - 44

/** How far around a line its circumstances are looked for. */
const NEAR = 40

/** The first group of what matches nearest above. */
function above(entries: readonly Entry[], at: number, pattern: RegExp, near = NEAR): string | undefined {
  for (let i = at; i >= Math.max(0, at - near); i--) {
    const match = pattern.exec(entries[i]!.text)
    if (match) return match[1]
  }
  return undefined
}

const known = (facts: Record<string, string | number | undefined>): CrashFacts =>
  Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string | number] => fact[1] !== undefined),
  )

const NOT_LOADED = /Could not load (?:plugin )?'(?:plugins[/\\])?([^'/\\]{1,200})\.jar'/
const MOD_AT_WORK = of(
  String.raw`(?:due to errors, provided by '|Failed to create mod instance\. ModID: |^\s*-? ?[^(]{1,100} \()`,
  String.raw`([\w-]{1,64})(?:'|,|\) has failed to load correctly)`,
)

const memory: CrashRule[] = [
  {
    cause: 'out-of-memory',
    pattern: of(THROWN, String.raw`(?:java\.lang\.)?OutOfMemoryError\b(.{0,200})`),
    facts: ([, said = '']) => {
      if (/native thread/.test(said)) return { where: 'threads' }
      if (/metaspace|class space/i.test(said)) return { where: 'metaspace' }
      return { where: /direct buffer/i.test(said) ? 'direct' : 'heap' }
    },
  },
  {
    cause: 'out-of-memory',
    pattern: /^(?:# There is insufficient memory for the Java Runtime|Could not reserve enough space for )/,
    facts: () => ({ where: 'computer' }),
  },
]

const java: CrashRule[] = [
  {
    cause: 'wrong-java',
    pattern: of(
      THROWN,
      String.raw`java\.lang\.UnsupportedClassVersionError: .{1,300} \(class file version (\d+)\.\d+\)`,
      String.raw`(?:.{1,100} class file versions up to (\d+))?`,
    ),
    facts: ([, needed, present]) =>
      known({ needed: javaOf(needed), present: present ? javaOf(present) : undefined }),
  },
  {
    cause: 'wrong-java',
    pattern:
      /^Unsupported Java detected \((\d+)[.\d]*\)\. (?:This version of Minecraft requires at least|Only up to) Java (\d+)/,
    facts: ([said, present, major]) => ({
      [said.includes('Only up to') ? 'atMost' : 'needed']: Number(major),
      present: javaOf(present),
    }),
  },
]

const world: CrashRule[] = [
  {
    cause: 'world-newer',
    pattern: of(
      THROWN,
      String.raw`java\.lang\.RuntimeException: Server attempted to load chunk saved with newer `,
      'version of minecraft! (\\d+) > (\\d+)',
    ),
    facts: ([, saved, present]) => ({ saved: Number(saved), present: Number(present) }),
  },
  { cause: 'world-newer', pattern: /^This world was created by an incompatible version\.$/, isInfo: true },
]

const dependencies: CrashRule[] = [
  {
    cause: 'missing-dependency',
    pattern:
      /^\s*- Mod '([^']{1,100})' \([\w-]{1,64}\) \S{1,100} requires (.{1,200}?) of (?:mod )?(?:'[^']{1,100}' \()?([\w-]{1,64})\)?, which is missing!/,
    facts: ([, extension = '', version = '', missing = '']) => ({ extension, missing, version }),
  },
  {
    // Quilt's.
    cause: 'missing-dependency',
    pattern:
      /^([^<>:[\]]{1,100}?) requires ((?:any )?versions?(?: .{1,100}?)?) of ([\w-]{1,64}), which is missing!$/,
    facts: ([, extension = '', version = '', missing = '']) => ({ extension, missing, version }),
  },
  {
    cause: 'clashing-extensions',
    pattern:
      /^\s*- Mod '([^']{1,100})' \([\w-]{1,64}\) \S{1,100} (?:requires|is incompatible with) (.{1,200}?) of (?:mod )?(?:'([^']{1,100})' \([\w-]{1,64}\)|([\w-]{1,64})), but (?:only the wrong version is|a matching version is) present: (\S{1,100})!/,
    facts: ([, extension = '', wanted = '', name, id, present = '']) => ({
      ...{ extension, other: name ?? id ?? '', wanted, present },
    }),
  },
  {
    // Forge's, and NeoForge's of the beginning.
    cause: 'missing-dependency',
    pattern:
      /^(?:Missing or unsupported mandatory dependencies:)?\s*Mod ID: '([^']{1,64})', Requested by: '([^']{1,64})', Expected range: '([^']{0,100})', Actual version: '\[MISSING\]'/,
    facts: ([, missing = '', extension = '', version = '']) => ({ extension, missing, version }),
  },
  {
    cause: 'clashing-extensions',
    pattern:
      /^(?:Missing or unsupported mandatory dependencies:)?\s*Mod ID: '([^']{1,64})', Requested by: '([^']{1,64})', Expected range: '([^']{0,100})', Actual version: '([^'[]{1,100})'/,
    facts: ([, other = '', extension = '', wanted = '', present = '']) => ({
      extension,
      other,
      wanted,
      present,
    }),
  },
  {
    cause: 'missing-dependency',
    pattern: /^Missing mandatory dependencies: (.{1,300})$/,
    facts: ([, missing = '']) => ({ missing }),
  },
  {
    cause: 'missing-dependency',
    pattern: /^\s*- Mod (\S{1,64}) requires (\S{1,64}) (.{1,100})$/,
    facts([, extension = '', missing = '', version = ''], entries, at) {
      const now = /^\s*Currently, \S{1,64} is not installed/.exec(entries[at + 1]?.text ?? '')
      return now && { extension, missing, version }
    },
  },
  {
    cause: 'clashing-extensions',
    pattern: /^\s*- Mod (\S{1,64}) (?:requires|only supports) (\S{1,64}) (.{1,100})$/,
    facts([, extension = '', other = '', wanted = ''], entries, at) {
      const now = /^\s*Currently, \S{1,64} is (\d\S{0,100})/.exec(entries[at + 1]?.text ?? '')
      return now && { extension, other, wanted, present: now[1]! }
    },
  },
  {
    cause: 'clashing-extensions',
    pattern: /^Breakage for \{\S{1,200} '([\w-]{1,64})' from .{1,300}\} on ([\w-]{1,64}) versions/,
    facts: ([, extension = '', other = '']) => ({ extension, other }),
  },
  {
    cause: 'duplicate-extension',
    pattern: /^\s*Mod ID: '([^']{1,64})' from mod files: \[?([^\]]{1,500})/,
    facts: ([, extension = '', files = '']) => ({ extension, files }),
  },
  {
    cause: 'duplicate-extension',
    pattern: /^Duplicate mandatory mod ids \[([^\]]{1,200})\]/,
    facts: ([, extension = '']) => ({ extension }),
  },
]

const code: CrashRule[] = [
  {
    cause: 'wrong-side',
    pattern: of(
      THROWN,
      String.raw`(?:[\w.$]{1,100}: )?(?:Attempted to load class \S{1,300} for invalid dist DEDICATED_SERVER`,
      String.raw`|Cannot load class \S{1,300} in environment type SERVER)`,
    ),
    facts: (_, entries, at) => known({ extension: above(entries, at, MOD_AT_WORK) }),
  },
  {
    cause: 'wrong-side',
    pattern: of(
      THROWN,
      String.raw`java\.lang\.(?:NoClassDefFoundError|ClassNotFoundException): net[./]minecraft[./]client[./]`,
    ),
    facts: (_, entries, at) => known({ extension: above(entries, at, MOD_AT_WORK) }),
  },
  {
    cause: 'mixin',
    pattern: /^Mixin apply for mod ([\w-]{1,64}) failed ([\w.-]{1,100}):/,
    facts: ([, extension = '', config = '']) => ({ extension, config }),
  },
  {
    cause: 'mixin',
    pattern: of(
      THROWN,
      String.raw`org\.spongepowered\.asm\.mixin\.throwables\.\w{1,60}: Mixin \[([\w.-]{1,100}):\S{1,200}(?: from mod ([\w-]{1,64}))?\]`,
    ),
    facts: ([, config, extension]) => known({ extension, config }),
  },
  {
    cause: 'mixin',
    pattern: of(
      THROWN,
      String.raw`org\.spongepowered\.asm\.mixin\.transformer\.throwables\.MixinTransformerError\b`,
    ),
  },
]

const plugins: CrashRule[] = [
  {
    cause: 'wrong-java',
    pattern:
      /^org\.bukkit\.plugin\.InvalidPluginException: java\.lang\.UnsupportedClassVersionError: .{1,300} \(class file version (\d+)\.\d+\).{1,100} class file versions up to (\d+)/,
    facts: ([, needed, present], entries, at) =>
      known({
        needed: javaOf(needed),
        present: javaOf(present),
        extension: above(entries, at, NOT_LOADED, 3),
      }),
    isHarmless: true,
  },
  {
    cause: 'missing-dependency',
    pattern: of(
      String.raw`^org\.bukkit\.plugin\.UnknownDependencyException: (?:Unknown/missing dependency plugins: \[([^\]]{1,300})\]\.`,
      String.raw`(?:.{1,80} to run '([^']{1,100})')?|Unknown dependency (${NAME})\. Please|(${NAME})$)`,
    ),
    facts: ([, missing, extension, one, old], entries, at) =>
      known({ missing: missing ?? one ?? old, extension: extension ?? above(entries, at, NOT_LOADED, 3) }),
    isHarmless: true,
  },
  {
    cause: 'missing-dependency',
    pattern: of(`^Can't load plugin (${NAME}) due to missing dependency (${NAME})`),
    facts: ([, extension = '', missing = '']) => ({ extension, missing }),
    isHarmless: true,
  },
  {
    cause: 'duplicate-extension',
    pattern: /^Ambiguous plugin name [`'](.{1,100})' for files [`'](.{1,200})' and [`'](.{1,200})' in /,
    facts: ([, extension = '', one, other]) => ({ extension, files: `${one}, ${other}` }),
    isHarmless: true,
  },
  {
    cause: 'chunk-corrupt',
    pattern:
      /^(?:Couldn't load chunk|Chunk file at|Failed to (?:read|load) chunk(?: data for)?) \[?(-?\d{1,8}), ?(-?\d{1,8})\b/,
    facts: ([, x, z]) => ({ x: Number(x), z: Number(z) }),
    isHarmless: true,
  },
]

/** What tells why, the surest first: what stands behind is often only what came of what stands before. */
export const CRASH_RULES: readonly CrashRule[] = [
  { cause: 'eula', pattern: /^You need to agree to the EULA in order to run the server\b/, isInfo: true },
  {
    cause: 'port-in-use',
    pattern: /^\*{4} FAILED TO BIND TO PORT!/,
    facts(_, entries, at) {
      // An address that this computer does not have is another matter.
      if (/Cannot assign requested address/.test(entries[at + 1]?.text ?? '')) return null
      const port = above(entries, at, /^Starting Minecraft server on .{1,100}:(\d{1,5})$/)
      return known({ port: port === undefined ? undefined : Number(port) })
    },
  },
  {
    cause: 'port-in-use',
    pattern: /^Can't bind to \S{0,100}:(\d{1,5})$/,
    facts: ([, port], entries, at) =>
      /Address already in use/.test(entries[at + 1]?.text ?? '') ? { port: Number(port) } : null,
  },
  {
    cause: 'world-locked',
    pattern: of(
      THROWN,
      String.raw`[\w.$]{1,200}: (.{1,1000})[/\\]session\.lock: already locked \(possibly by other`,
    ),
    facts: ([, folder = '']) => known({ world: folder.split(/[/\\]/).at(-1) }),
  },
  {
    cause: 'world-locked',
    pattern: /^(?:Failed to check session lock|The save .{0,300}is being accessed from another)/,
  },
  {
    cause: 'disk-full',
    pattern: of(
      THROWN,
      String.raw`java\.[\w.$]{1,100}: (?:.{1,1000}: )?(?:No space left on device|There is not enough space on the disk|Disk quota exceeded)\.?$`,
    ),
  },
  ...memory,
  ...java,
  ...world,
  ...dependencies,
  ...code,
  { cause: 'datapacks', pattern: /^Failed to load datapacks, can't proceed with server load\b/ },
  { cause: 'world-corrupt', pattern: /^Failed to load world data\b.{0,600}\bWorld files may be corrupted\b/ },
  ...plugins,
]
