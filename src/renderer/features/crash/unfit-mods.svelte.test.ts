import { expect, it } from 'vitest'
import type { Crash, ServerConfig } from '../../../contract/bridge/values.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { crashWords } from '../../catalog/crash-words.ts'
import { crashFixesOf } from './crash-fixes.ts'

it.each<[cause: NonNullable<Crash['cause']>, facts: NonNullable<Crash['facts']>, words: RegExp]>([
  ['wrong-minecraft', { count: 30, wanted: '1.20' }, /^30 mods are made for Minecraft 1\.20\n/],
  [
    ...(['wrong-minecraft', { extension: 'Sky', wanted: '[1.20,1.21)', present: '1.21.1' }] as const),
    /^Sky is made for another version of Minecraft\nThis server runs Minecraft 1\.21\.1\./,
  ],
  [
    ...(['wrong-loader', { extension: 'Sky', loader: 'Fabric Loader', present: '0.15.11' }] as const),
    /^Sky needs another version of Fabric Loader\nThis server has Fabric Loader 0\.15\.11\./,
  ],
  ['wrong-loader', { count: 2, loader: 'Quilt Loader' }, /^2 mods need another version of Quilt Loader\n/],
  ['wrong-software', { extension: 'Sky', software: 'NeoForge' }, /^Sky is made for NeoForge\n/],
  ['missing-dependency', { count: 2, missing: 'Lib' }, /^2 mods need Lib\n/],
  ['missing-dependency', { missing: 'Lib' }, /^A plugin or mod needs Lib\n/],
  [
    ...(['wrong-side', { extension: 'Sky', missing: 'HUD' }] as const),
    /^Sky needs HUD, which does not run on a server\nHUD is made for the game itself/,
  ],
  ['broken-extension', { extension: 'a.jar' }, /^a\.jar can’t be loaded\n/],
  ['wrong-java', { count: 2, needed: 21 }, /^2 mods need Java 21\n/],
])("the card says what is wrong with mods that don't fit: %s, %o", (cause, facts, words) => {
  const { what, why } = crashWords({ cause, facts }, { now: null, most: null })
  expect(`${what}\n${why}`).toMatch(words)
})

const mends = (crash: Crash, config: ServerConfig | null = null) =>
  crashFixesOf({ server: new ServerState('c', 's'), crash, config, etag: null }).map((mend) =>
    mend.kind === 'way' ? [mend.label, mend.href] : [mend.label],
  )

it('mods for another Minecraft or loader version lead to Software, and a single mod can be turned off', () => {
  const software = ['Choose another version', '#/c/c/s/s/settings/software']
  const crash = { facts: { extension: 'Sky' }, files: ['mods/sky.jar'] }
  expect(mends({ ...crash, cause: 'wrong-minecraft' })).toEqual([
    ...[software, ['Find a version that fits', '#/c/c/s/s/extensions']],
    ...[['Turn off sky.jar'], ['Open the folder', '#/c/c/s/s/files?path=mods'], ['Start again']],
  ])
  expect(mends({ ...crash, cause: 'wrong-loader' }).slice(0, 2)).toEqual([software, ['Turn off sky.jar']])
  const many = {
    cause: 'wrong-minecraft',
    facts: { count: 30 },
    files: ['mods/a.jar', 'mods/b.jar'],
  } as const
  expect(mends({ ...many, files: [...many.files] }).map(([label]) => label)).toEqual([
    ...['Choose another version', 'Find a version that fits', 'Start again'],
  ])
})

it('an extension whose code failed is named, and can be turned off and started without', () => {
  const crash = { cause: 'extension-error', files: ['plugins/Shop-2.1.jar'] } as const
  const { what } = crashWords({ ...crash, files: [...crash.files] }, { now: null, most: null })
  expect(what).toBe('Probably Shop-2.1')
  expect(mends({ ...crash, files: [...crash.files] })).toEqual([
    ...[['Turn off Shop-2.1.jar and start'], ['Start again']],
    ['Open the folder', '#/c/c/s/s/files?path=plugins'],
  ])
})

it('a mod that needs another Java offers that version, even if the owner chose one', () => {
  const facts = { needed: 21, present: 17, extension: 'Sky' }
  expect(mends({ cause: 'wrong-java', facts }, { name: 'Meadow', java: '17' })[0]).toEqual([
    'Use Java 21 and start',
  ])
})
