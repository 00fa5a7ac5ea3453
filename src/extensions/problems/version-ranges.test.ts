import { expect, it } from 'vitest'
import { problemsOf } from './problems.ts'
import { isWithin } from './version-ranges.ts'

it.each([
  ['1.20.4', '>=1.20 <1.21', true],
  ['1.21', '>=1.20 <1.21', false],
  ['1.20.4', '~1.20.1', true],
  ['1.21', '~1.20.1', false],
  ['2.0', '^1.4', false],
  ['1.9', '^1.4', true],
  ['1.20.6', '1.20.x', true],
  ['1.2', '1.20.x', false],
  ['1.20.4', '1.19 || 1.20.4', true],
  ['0.100.0+1.21', '>=0.99-', true],
  ['1.10', '>1.9', true],
  ['1.20', 'whatever', true],
])('%s within %s, as Fabric writes it: %s', (version, range, expected) => {
  expect(isWithin(version, range, 'fabric')).toBe(expected)
})

it.each([
  ['1.20.4', '[1.20,1.21)', true],
  ['1.21', '[1.20,1.21)', false],
  ['1.21', '[1.20,1.21]', true],
  ['2.0', '[2.0]', true],
  ['2.1', '[2.0]', false],
  ['3', '(,2],[3,)', true],
  ['2.5', '(,2],[3,)', false],
  ['1', '[0,)', true],
  ['5', '1.0', true],
])('%s within %s, as Forge writes it: %s', (version, range, expected) => {
  expect(isWithin(version, range, 'neoforge')).toBe(expected)
})

const mod = (id: string, more: object = {}) => ({
  ...{ enabled: true, isPlain: true, file: 'p.jar', why: null, broken: null, fault: null },
  facts: {
    ...{ format: 'fabric' as const, id, name: id, version: '1.0', description: null, authors: [], needs: [] },
    ...{ provides: [], side: null, apiVersion: null, folia: false, ...more },
  },
})
const need = (id: string, range: string | null, kind: 'required' | 'clash' = 'required') => ({
  id,
  range,
  kind,
})

it('mods tell what they miss, what they clash with, and that they are for another game or side', () => {
  const all = [
    mod('a', { needs: [need('minecraft', '>=1.21'), need('fabricloader', '>=0.15'), need('inner', null)] }),
    mod('b', {
      provides: ['inner'],
      needs: [need('c', '>=2'), need('missing', null), need('d', '*', 'clash')],
    }),
    mod('c', { needs: [need('b', '<2', 'clash'), need('nobody', null, 'clash')] }),
    mod('d', { side: 'client' }),
    { ...mod('c', { needs: [need('missing', null)] }), enabled: false },
  ]
  expect(problemsOf(all, { software: 'fabric', version: '1.20.4' }, null)).toEqual([
    [{ kind: 'wrong-version', name: 'minecraft', wants: '>=1.21' }],
    [
      { kind: 'missing-dependency', name: 'c', wants: '>=2' },
      { kind: 'missing-dependency', name: 'missing' },
    ],
    [{ kind: 'clash', name: 'b', wants: '<2' }],
    [{ kind: 'wrong-side' }],
    [],
  ])
})

it.each([
  ['1.20.4', true],
  ['24w14a', false],
  ['unknown', false],
])(
  'that a mod does not run with the game is said where versions can be compared: %s, %s',
  (version, isSaid) => {
    const breaks = mod('a', {
      needs: [need('minecraft', '<1.20.5', 'clash'), need('minecraft', '<1.19.4', 'clash')],
    })
    const wrong = [{ kind: 'wrong-version', name: 'minecraft', wants: '<1.20.5' }]
    expect(problemsOf([breaks], { software: 'quilt', version }, null)).toEqual([isSaid ? wrong : []])
  },
)

it('Folia takes only what says that it works there', () => {
  const plugin = (folia: boolean) => mod('p', { format: 'bukkit', folia })
  const target = { software: 'folia', version: '1.20.4' }
  expect(problemsOf([plugin(false)], target, null)).toEqual([[{ kind: 'wrong-software', name: 'folia' }]])
  expect(problemsOf([plugin(true)], target, null)).toEqual([[]])
})

it('plugins with spaces in their name or an invalid `api-version` are rejected from Minecraft 1.13 on', () => {
  const odd = [mod('My Shop', { format: 'bukkit' }), mod('Lamp', { format: 'bukkit', fault: 'api-version' })]
  const on = (software: string, version: string) => problemsOf(odd, { software, version }, null)
  const invalid = (field: string) => [{ kind: 'invalid-description', name: 'plugin.yml', field }]
  expect(on('paper', '1.13')).toEqual([invalid('name'), invalid('api-version')])
  expect(on('paper', '1.12.2')).toEqual([[], []])
  expect(on('paper', 'unknown')).toEqual([[], []])
  expect(on('waterfall', '1.21')).toEqual([[], []])
})
