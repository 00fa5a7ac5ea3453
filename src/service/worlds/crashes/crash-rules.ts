import { traces } from './crash-traces.ts'
import { demands, softDemands } from './crash-demands.ts'
import { above, byLine, javaOf, known, of, THROWN, type CrashRule, type LineRule } from './crash-rule.ts'
import { code, harmless, refused } from './crash-rules-of-extensions.ts'

const memory: LineRule[] = [
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

const java: LineRule[] = [
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

const world: LineRule[] = [
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

const server: LineRule[] = [
  { cause: 'eula', pattern: /^You need to agree to the EULA in order to run the server\b/, isInfo: true },
  {
    cause: 'port-in-use',
    pattern: /^\*{4} FAILED TO BIND TO PORT!/,
    facts(_, entries, at) {
      // A different problem: the address isn't this computer's.
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
]

const data: LineRule[] = [
  { cause: 'datapacks', pattern: /^Failed to load datapacks, can't proceed with server load\b/ },
  { cause: 'world-corrupt', pattern: /^Failed to load world data\b.{0,600}\bWorld files may be corrupted\b/ },
]

/** Most certain first: later ones are often consequences of earlier ones. */
export const CRASH_RULES: readonly CrashRule[] = [
  ...[...server, ...memory, ...java, ...world].map(byLine),
  demands,
  ...[...refused, ...code, ...data].map(byLine),
  traces,
  ...harmless.map(byLine),
  softDemands,
]
