import { above, javaOf, known, NAME, of, THROWN, type LineRule } from './crash-rule.ts'

const NOT_LOADED = /Could not load (?:plugin )?'(?:plugins[/\\])?([^'/\\]{1,200})\.jar'/
const MOD_AT_WORK = of(
  String.raw`(?:due to errors, provided by '|Failed to create mod instance\. ModID: |^\s*-? ?[^(]{1,100} \()`,
  String.raw`([\w-]{1,64})(?:'|,|\) has failed to load correctly)`,
)

export const refused: LineRule[] = [
  {
    cause: 'broken-extension',
    pattern: of(
      THROWN,
      String.raw`net\.fabricmc\.loader\.(?:impl\.)?metadata\.ParseMetadataException[\w$]{0,40}: `,
      String.raw`Error reading fabric\.mod\.json file for mod at (.{1,1000}?\.jar)(?: -> |: |$)`,
    ),
    facts: ([, file = '']) => ({ extension: file.split(/[/\\]/).at(-1)! }),
  },
  {
    cause: 'missing-dependency',
    pattern: /^Missing mandatory dependencies: (.{1,300})$/,
    facts: ([, missing = '']) => ({ missing }),
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

export const code: LineRule[] = [
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

/** The server survives these, mostly by skipping a plugin. */
export const harmless: LineRule[] = [
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
