import { above, javaOf, known, NAME, of, THROWN, type CrashRule } from './crash-rule.ts'

const NOT_LOADED = /Could not load (?:plugin )?'(?:plugins[/\\])?([^'/\\]{1,200})\.jar'/
const MOD_AT_WORK = of(
  String.raw`(?:due to errors, provided by '|Failed to create mod instance\. ModID: |^\s*-? ?[^(]{1,100} \()`,
  String.raw`([\w-]{1,64})(?:'|,|\) has failed to load correctly)`,
)

/** Mods that the loader refuses. */
export const dependencies: CrashRule[] = [
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

/** Mods whose code does not work here. */
export const code: CrashRule[] = [
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
    pattern: /^Mixin (?:apply|prepare) for mod ([\w-]{1,64}) failed ([\w.-]{1,100}):/,
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

/** What a server can live with, mostly plugins that it leaves out. */
export const harmless: CrashRule[] = [
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
