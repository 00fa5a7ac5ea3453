import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crashTexts } from '../../../../tests/doubles/java-server.ts'
import { explainCrash } from './crash-causes.ts'

/** What is told of each text of `crashes/`: worded as servers of each kind word it, with names of our own. */
const TOLD: Record<string, [cause: string, facts: Record<string, string | number>]> = {
  'chunk-vanilla': ['chunk-corrupt', { x: 12, z: -7 }],
  'clash-fabric': [
    'clashing-extensions',
    { extension: 'Sturdy Doors', other: 'Light Doors', wanted: 'any version', present: '0.9' },
  ],
  'clash-fabric-version': [
    'wrong-minecraft',
    { extension: 'Sturdy Doors', wanted: '1.21.4', present: '1.21.1' },
  ],
  'clash-forge': [
    'wrong-loader',
    { extension: 'sturdydoors', loader: 'Forge', wanted: '[47.3.32,)', present: '47.2.6' },
  ],
  'clash-neoforge': [
    'wrong-loader',
    { extension: 'sturdydoors', loader: 'NeoForge', wanted: '21.1.100 or above', present: '21.1.77' },
  ],
  'clash-quilt': ['clashing-extensions', { extension: 'light_doors', other: 'sturdy_doors', wanted: '[*]' }],
  'client-fabric': ['wrong-side', { extension: 'bright-hud' }],
  'client-neoforge': ['wrong-side', { extension: 'brighthud' }],
  'datapacks-vanilla': ['datapacks', {}],
  'disk-paper': ['disk-full', {}],
  'disk-windows': ['disk-full', {}],
  'duplicate-neoforge': [
    'duplicate-extension',
    { extension: 'sturdydoors', files: 'sturdydoors-1.0.jar, sturdydoors-1.1.jar' },
  ],
  'duplicate-paper': [
    'duplicate-extension',
    { extension: 'ShopSigns', files: 'plugins/ShopSigns-3.1.jar, plugins/ShopSigns-3.0.jar' },
  ],
  'eula-fabric': ['eula', {}],
  'lock-fabric': ['world-locked', { world: 'world' }],
  'memory-exit': ['out-of-memory', { where: 'heap' }],
  'memory-forge': ['out-of-memory', { where: 'heap' }],
  'memory-native': ['out-of-memory', { where: 'computer' }],
  'memory-reserve': ['out-of-memory', { where: 'computer' }],
  'memory-threads': ['out-of-memory', { where: 'threads' }],
  'memory-thrown': ['out-of-memory', { where: 'heap' }],
  'missing-bukkit': ['missing-dependency', { extension: 'ShopSigns', missing: 'Vault' }],
  'missing-fabric': [
    'missing-dependency',
    { extension: 'Sturdy Doors', missing: 'sturdy-lib', version: 'version 2.0 or later' },
  ],
  'missing-forge': [
    'missing-dependency',
    { extension: 'sturdydoors', missing: 'sturdylib', version: '[3.1.27,4.0)' },
  ],
  'missing-neoforge': [
    'missing-dependency',
    { extension: 'sturdydoors', missing: 'sturdylib', version: '1.0.0 or above' },
  ],
  'missing-old-forge': ['missing-dependency', { missing: 'sturdylib, otherlib' }],
  'missing-paper': ['missing-dependency', { extension: 'ShopSigns', missing: 'Vault, LibOfSigns' }],
  'missing-quilt': [
    'missing-dependency',
    {
      extension: 'Sturdy Doors',
      missing: 'sturdy_lib',
      version: 'any version',
      files: 'sturdy-doors-1.4.2-quilt.jar',
    },
  ],
  'missing-quilt-version': [
    'wrong-loader',
    { extension: 'Sturdy Doors', loader: 'Quilt Loader', wanted: 'version [0.14.21, ∞)' },
  ],
  'missing-spigot': ['missing-dependency', { extension: 'ShopSigns', missing: 'Vault' }],
  'missing-velocity': ['missing-dependency', { extension: 'shopbridge', missing: 'libbridge' }],
  'mixin-fabric': ['mixin', { extension: 'sturdy-doors', config: 'sturdy-doors.mixins.json' }],
  'mixin-forge': ['mixin', { extension: 'sturdydoors', config: 'sturdydoors.mixins.json' }],
  'newer-chunk-paper': ['world-newer', { saved: 4189, present: 3955 }],
  'newer-world-vanilla': ['world-newer', {}],
  'port-vanilla': ['port-in-use', { port: 25566 }],
  'port-velocity': ['port-in-use', { port: 25577 }],
  'world-vanilla': ['world-corrupt', {}],
  'trace-forge': ['extension-error', { files: 'sturdydoors-1.4.jar' }],
  'trace-paper': ['extension-error', { files: 'shop-2.1.jar, clock-lib.jar' }],
  'wrong-java': ['wrong-java', { needed: 21, present: 17 }],
  'wrong-java-paper': ['wrong-java', { needed: 21, present: 17 }],
  'wrong-java-plugin-paper': ['wrong-java', { needed: 25, present: 21, extension: 'Warp-2.0' }],
  'wrong-java-too-new': ['wrong-java', { atMost: 16, present: 21 }],
  'clash-fabric-plural': [
    'clashing-extensions',
    {
      extension: 'Config Lib',
      other: 'Fabric API',
      wanted: 'version 0.104.0+1.21.1 or later',
      present: '0.102.0+1.21/0.99.5+1.21',
    },
  ],
  'clash-fabric-apostrophes': [
    'clashing-extensions',
    { extension: "Baker's Delight", other: "Miner's Lib", wanted: 'version 2.0 or later', present: '1.0' },
  ],
  'clash-fabric-breaks': [
    'clashing-extensions',
    {
      extension: '[Sturdy] "Doors", (Plus)',
      other: 'Light, (Doors)',
      wanted: 'any version between 1.0 (inclusive) and 2.0 (exclusive) or version 3.0',
      present: '1.0/1.1',
    },
  ],
  'clash-fabric-breaks-plural': [
    'clashing-extensions',
    { extension: 'Sturdy Doors', other: 'Light Doors', wanted: 'any version', present: '0.9/1.0' },
  ],
  'clash-fabric-blocked': [
    'clashing-extensions',
    { extension: 'Sturdy Doors', other: 'Light Doors', wanted: 'any 2.x version' },
  ],
  'clash-fabric-soft': [
    'clashing-extensions',
    { extension: 'Sturdy Doors', other: 'Light Doors', wanted: 'any version', present: '0.9/1.0' },
  ],
  'missing-fabric-apostrophes': [
    'missing-dependency',
    { extension: "Baker's Delight", missing: 'moonlight', version: 'version 2.0 or later' },
  ],
  'missing-fabric-old': [
    'missing-dependency',
    { extension: 'Sturdy Doors', missing: 'sturdy-lib', version: 'any version after 2.0' },
  ],
  'missing-fabric-advice': ['missing-dependency', { missing: 'sturdy-lib', version: 'any version' }],
  'java-fabric': ['wrong-java', { extension: 'Sky', needed: 21, present: 17 }],
  'java-fabric-breaks': ['wrong-java', { extension: 'Sky', atMost: 21, present: 25 }],
  'java-fabric-range': ['wrong-java', { extension: 'Sky', atMost: 20, present: 21 }],
  'java-fabric-advice': ['wrong-java', { needed: 21, present: 17 }],
  'loader-fabric': [
    'wrong-loader',
    { extension: 'Sky', loader: 'Fabric Loader', wanted: 'version 0.16.0 or later', present: '0.15.11' },
  ],
  'loader-fabric-mod': [
    'wrong-loader',
    { extension: 'Sky', loader: 'Fabric Loader', wanted: 'version 0.16.0 or later', present: '0.15.11' },
  ],
  'minecraft-fabric': ['wrong-minecraft', { extension: 'Sky', wanted: '1.20.x', present: '1.21.1' }],
  'minecraft-fabric-breaks': ['wrong-minecraft', { extension: 'Sky', present: '1.21.1' }],
  'side-fabric': ['wrong-side', { extension: "Sky's Edge", missing: 'bright-hud' }],
  'software-fabric': ['wrong-software', { extension: 'Sky', software: 'Quilt' }],
  'broken-fabric': ['broken-extension', { extension: 'nov.jar' }],
  'broken-fabric-inner': ['broken-extension', { extension: 'outer.jar' }],
  'minecraft-quilt': [
    'wrong-minecraft',
    { count: 30, wanted: '1.20', files: 'sturdy-doors-1.4.2.jar, light doors.jar' },
  ],
  'minecraft-quilt-range': [
    'wrong-minecraft',
    { extension: 'Sturdy Doors', wanted: 'version [1.20.2, 1.21-)', files: 'sturdy-doors-1.4.2.jar' },
  ],
  'java-quilt': ['wrong-java', { extension: "YUNG's [Doors]: Plus", needed: 21 }],
  'loader-quilt': [
    'wrong-loader',
    { extension: 'Sturdy Doors', loader: 'Quilt Loader', wanted: 'version [0.26.0-, ∞)' },
  ],
  'missing-quilt-many': [
    'missing-dependency',
    { count: 2, missing: 'quilted_fabric_api', version: 'version [7.0, ∞)' },
  ],
  'clash-quilt-breaks': [
    'clashing-extensions',
    {
      extension: 'Light Doors',
      other: 'sturdy_doors',
      wanted: 'version (-∞, 2.0]',
      files: 'light-doors.jar',
    },
  ],
  'minecraft-forge': ['wrong-minecraft', { extension: 'sturdydoors', wanted: '1.20.1', present: '1.20' }],
  'software-forge': ['wrong-software', { extension: 'sturdydoors', software: 'NeoForge' }],
  'clash-forge-mods': [
    'clashing-extensions',
    { extension: 'sturdydoors', other: 'sturdylib', wanted: '[3.1.27,4.0)', present: '3.0' },
  ],
  'language-forge': [
    'wrong-loader',
    { extension: 'sturdydoors-1.0.jar', loader: 'Forge', wanted: '[47,)', present: '46' },
  ],
  'language-missing-forge': [
    'missing-dependency',
    { extension: 'sturdydoors-1.0.jar', missing: 'kotlinforforge', version: '[4,)' },
  ],
  'language-neoforge': [
    'wrong-loader',
    { extension: 'sturdy doors-1.0.jar', loader: 'NeoForge', wanted: '4 or above', present: '3.0.45' },
  ],
  'minecraft-neoforge': [
    'wrong-minecraft',
    { extension: 'sturdydoors', wanted: '1.21.4', present: '1.21.1' },
  ],
  'software-neoforge': ['wrong-software', { extension: 'sturdydoors', software: 'Forge' }],
  'clash-neoforge-breaks': [
    'clashing-extensions',
    { extension: 'sturdydoors', other: 'lightdoors', wanted: '1.0 or above', present: '1.2' },
  ],
}

const wordsOf = (name: string) =>
  readFileSync(join(crashTexts, `${name}.txt`), 'utf8')
    .trimEnd()
    .split('\n')
const prefixes = ['[12:34:56 INFO]: ', '[12:34:56] [Server thread/INFO]: ']

test('each text of a crash has an expectation, and each expectation a text', () => {
  const names = readdirSync(crashTexts).map((name) => name.replace('.txt', ''))
  expect(names.sort()).toEqual(Object.keys(TOLD).sort())
})

test.each(Object.entries(TOLD))('%s is explained, with the line that tells it', (name, [cause, facts]) => {
  const lines = wordsOf(name)
  const told = explainCrash({ lines, exitCode: 1 })
  expect(told).toEqual({ cause, facts, evidence: expect.any(String) })
  expect(lines.join('\n').replaceAll(/§./g, '')).toContain(told!.evidence)
  expect(told!.evidence).not.toBe('')
  // The same in the midst of others, in colors, and from a report.
  const colored = lines.map((line) => `\u001b[31;1m${line}\u001b[m`)
  const among = [
    ...prefixes.map((prefix) => `${prefix}Hello`),
    ...colored,
    '\tat java.lang.Thread.run(Thread.java)',
  ]
  expect(explainCrash({ lines: among, exitCode: 1 })).toEqual(told)
  expect(explainCrash({ lines: [], exitCode: 1, report: lines.join('\n') })).toEqual(told)
})

test('what players write explains nothing, not even where a plugin leaves their names out', () => {
  for (const name of Object.keys(TOLD))
    for (const line of wordsOf(name)) {
      const words = line.replace(/^\[[^\]]+\](?: \[[^\]]+\])*: /, '')
      const said = [
        '<Eve> ',
        '[Not Secure] <Eve> ',
        '[Server] ',
        '* Eve ',
        '[Eve: ',
        '[Member] Eve » ',
      ].flatMap((who) => prefixes.map((prefix) => `${prefix}${who}${words}`))
      expect([line, explainCrash({ lines: said, exitCode: 1 })]).toEqual([line, null])
      if (name.startsWith('eula') || name.startsWith('newer-world')) continue
      const bare = prefixes.map((prefix) => `${prefix}${words}`)
      expect([line, explainCrash({ lines: bare, exitCode: 1 })]).toEqual([line, null])
    }
})

test('nothing is known of a crash without such words', () => {
  expect(explainCrash({ lines: [], exitCode: null })).toBe(null)
  const lines = [
    '[12:34:56 ERROR]: Encountered an unexpected exception',
    'java.lang.NullPointerException: null',
  ]
  expect(explainCrash({ lines, exitCode: 1, report: '---- Minecraft Crash Report ----' })).toBe(null)
})

test('what ends a server comes before what it can live with, and the cause before what came of it', () => {
  const both = (first: string, second: string, exitCode = 1) =>
    explainCrash({ lines: [...wordsOf(first), ...wordsOf(second)], exitCode })?.cause
  expect(both('missing-paper', 'memory-forge')).toBe('out-of-memory')
  expect(both('chunk-vanilla', 'missing-fabric')).toBe('missing-dependency')
  expect(both('mixin-fabric', 'missing-fabric')).toBe('missing-dependency')
  expect(both('chunk-vanilla', 'disk-paper')).toBe('disk-full')
  expect(both('missing-paper', 'chunk-vanilla', 137)).toBe('out-of-memory')
})

test('a server that was killed from outside ran out of memory, as far as can be told', () => {
  expect(explainCrash({ lines: ['[12:34:56 INFO]: Hello'], exitCode: 137 })).toEqual({
    cause: 'out-of-memory',
    facts: { where: 'killed' },
    evidence: '',
  })
  expect(explainCrash({ lines: wordsOf('disk-paper'), exitCode: 137 })?.cause).toBe('disk-full')
})

test('an address that this computer does not have is no port in use', () => {
  const lines = wordsOf('port-vanilla').map((line) =>
    line.replace(
      'bind(..) failed: Address already in use',
      'bind(..) failed: Cannot assign requested address',
    ),
  )
  expect(explainCrash({ lines, exitCode: 1 })).toBe(null)
})

test('of endless words only so many are looked at, the last of the console and the first of a report', () => {
  const many = Array.from({ length: 2_000 }, () => `${' '.repeat(1_000)}x`.repeat(20))
  expect(explainCrash({ lines: [...wordsOf('disk-paper'), ...many], exitCode: 1 })).toBe(null)
  expect(explainCrash({ lines: [...many, ...wordsOf('disk-paper')], exitCode: 1 })?.cause).toBe('disk-full')
  const report = [...many, ...wordsOf('disk-paper')].join('\n')
  expect(explainCrash({ lines: [], exitCode: 1, report })).toBe(null)
  for (const sign of ['\\', ' - Mod ', 'Mod ID: ', 'a.', '[', 'x: ', "'", 'Caused by: java.lang.'])
    explainCrash({ lines: Array.from({ length: 2_000 }, () => sign.repeat(2_000)), exitCode: 1 })
})
