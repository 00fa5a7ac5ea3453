import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { crashTexts } from '../../../tests/fixtures/java-server.ts'
import { explainCrash } from './crash-causes.ts'

/** What is told of each text of `crashes/`: worded as servers of each kind word it, with names of our own. */
const TOLD: Record<string, [cause: string, facts: Record<string, string | number>]> = {
  'chunk-vanilla': ['chunk-corrupt', { x: 12, z: -7 }],
  'clash-fabric': [
    'clashing-extensions',
    { extension: 'Sturdy Doors', other: 'Light Doors', wanted: 'any version', present: '0.9' },
  ],
  'clash-fabric-version': [
    'clashing-extensions',
    { extension: 'Sturdy Doors', other: 'Minecraft', wanted: 'version 1.21.4', present: '1.21.1' },
  ],
  'clash-forge': [
    'clashing-extensions',
    { extension: 'sturdydoors', other: 'forge', wanted: '[47.3.32,)', present: '47.2.6' },
  ],
  'clash-neoforge': [
    'clashing-extensions',
    { extension: 'sturdydoors', other: 'neoforge', wanted: '21.1.100 or above', present: '21.1.77' },
  ],
  'clash-quilt': ['clashing-extensions', { extension: 'light_doors', other: 'sturdy_doors' }],
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
    { extension: 'Sturdy Doors', missing: 'sturdy_lib', version: 'any version' },
  ],
  'missing-quilt-version': [
    'missing-dependency',
    { extension: 'Sturdy Doors', missing: 'fabricloader', version: 'version [0.14.21, ∞)' },
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
  'wrong-java': ['wrong-java', { needed: 21, present: 17 }],
  'wrong-java-paper': ['wrong-java', { needed: 21, present: 17 }],
  'wrong-java-plugin-paper': ['wrong-java', { needed: 25, present: 21, extension: 'Warp-2.0' }],
  'wrong-java-too-new': ['wrong-java', { atMost: 16, present: 21 }],
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
