import { beforeEach, expect, it } from 'vitest'
import type { ServerConfig } from '../../../../contract/bridge/values.ts'
import { propertiesIn } from '../../../../contract/rules/properties-text.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { PropertyDraft } from './property-draft.svelte.ts'

/** The file as it is at the service. */
let text = $state('')

const config = (): ServerConfig => {
  const values = propertiesIn(text)
  const max = { key: 'max-players', type: 'number', default: '20', limits: { min: 0 } } as const
  const pvp = { key: 'pvp', type: 'switch', default: 'true' } as const
  return {
    ...{ name: 'Meadow', memoryMb: 1024 },
    properties: [max, pvp].map((one) => ({ ...one, value: values.get(one.key) ?? null })),
  }
}

beforeEach(() => {
  window.panel = new ScriptedBridge({
    'files.read-text': () => ({
      ok: true,
      value: {
        ...{ path: 'server.properties', size: text.length, modifiedAt: null, etag: text },
        content: { kind: 'text' as const, text },
      },
    }),
    'files.write-text': ({ text: next }) => {
      text = next
      return { ok: true, value: { etag: text, running: false } }
    },
  })
})

/** A draft with the file beside it. */
async function draftOf(file: string) {
  text = file
  const source = {
    get value() {
      return config()
    },
    get tag() {
      return text
    },
    again: () => Promise.resolve(),
  }
  const draft = new PropertyDraft({ connectionId: 'c', serverId: 's' }, source)
  await draft.openRaw()
  const inFile = () => (draft.raw.kind === 'text' ? draft.raw.text : null)
  return { draft, inFile }
}

it('the form and the file show each other a setting that is written as only Java reads it', async () => {
  const { draft, inFile } = await draftOf('# mine\rmax\\-players 20\rdifficulty\teasy\r')
  expect(draft.properties[0]?.value).toBe('20')
  draft.set('max-players', '30')
  expect(inFile()).toBe('# mine\rmax-players=30\rdifficulty\teasy\r')
  expect(draft.textAlone).toBe(false)
  draft.type(`${inFile()}\\u0070vp:FALSE\r`)
  expect([...draft.edits]).toEqual([
    ['max-players', '30'],
    ['pvp', 'FALSE'],
  ])
  expect(draft.wrong.size).toBe(0)
  expect(await draft.save()).toBe(true)
  expect(text).toBe('# mine\rmax-players=30\rdifficulty\teasy\r\\u0070vp:FALSE\r')
})

it('a blank that is typed behind a value in the file is wrong, as the game would read another one', async () => {
  const { draft } = await draftOf('pvp=true\n')
  draft.type('pvp=true \n')
  expect([...draft.edits]).toEqual([['pvp', 'true ']])
  expect(draft.wrong.get('pvp')?.()).toMatch(/^Remove the spaces/)
})

it('the file is as it was when a change of a setting that stood there twice is taken back', async () => {
  const before = 'max-players=10\nmotd=Hello\nmax-players=20\n'
  const { draft, inFile } = await draftOf(before)
  draft.set('max-players', '30')
  expect(inFile()).toBe('motd=Hello\nmax-players=30\n')
  draft.set('max-players', '20')
  expect([inFile(), draft.dirty]).toEqual([before, false])
})

it('what only the file has stays when a setting is set in the form', async () => {
  const { draft, inFile } = await draftOf('max-players=20\n')
  draft.type('# new\nmax-players=20\n')
  draft.set('max-players', '30')
  draft.set('max-players', '20')
  expect([inFile(), draft.textAlone]).toEqual(['# new\nmax-players=20\n', true])
})
