import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import '../../../app/theme.css'
import type { Connection, ServerConfig, View } from '../../../../contract/bridge/values.ts'
import { propertiesIn, withProperties } from '../../../../contract/rules/properties-text.ts'
import { held } from '../../../core/routes/router.svelte.ts'
import { panel } from '../../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../../core/servers/server-state.svelte.ts'
import { dismiss, notices } from '../../../ui/feedback/notices.svelte.ts'
// Loaded later otherwise, when what they need would be prepared for the first time.
import './Properties.svelte'
import './RawPane.svelte'
import { askProperty } from './palette.svelte.ts'
import '../GameSettings.svelte'
import { properties } from '../index.ts'
import ServerSettings from '../ServerSettings.svelte'
import type { ConfigProperty } from './property.ts'

const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const shown = <T>(value: T, tag?: string): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null, ...(tag && { tag }) },
})
const refused = (code: 'changed' | 'not-found') =>
  ({ ok: false, problem: { code, message: '', retryable: false } }) as const

const kinds: ConfigProperty[] = [
  { key: 'motd', type: 'text', default: 'A Minecraft Server', group: 'general' },
  {
    key: 'difficulty',
    type: 'choice',
    default: 'easy',
    group: 'general',
    limits: { choices: ['easy', 'hard'] },
  },
  { key: 'pvp', type: 'switch', default: 'true', group: 'general', running: 'false' },
  { key: 'resource-pack-sha1', type: 'text', default: '', group: 'general' },
  {
    key: 'max-players',
    type: 'number',
    default: '20',
    group: 'players',
    limits: { min: 0, max: 2147483647 },
  },
]

let way: ScriptedBridge
/** The file as it is at the service. */
let text: string
let extra: ConfigProperty[]

const config = (): ServerConfig => {
  const values = propertiesIn(text)
  return {
    name: 'Meadow',
    memoryMb: 1024,
    properties: [...kinds.map((one) => ({ ...one, value: values.get(one.key) ?? null })), ...extra],
  }
}

beforeEach(() => {
  text = '# mine\nmotd=Hello\nmax-players=20\n'
  extra = []
  way = new ScriptedBridge({
    'view servers.read': () => shown({ id: 's', name: 'Meadow', role: 'owner' as const }),
    'view servers.list': () =>
      shown({ items: [{ id: 's', name: 'Meadow' }], leftOut: [], more: false as const }),
    'view servers.status': () => shown({ status: 'offline' as const }),
    'view servers.read-config': () => shown(config(), text),
    'send servers.change-config': ({ body, ifMatch }) => {
      if (ifMatch !== text) return refused('changed')
      text = withProperties(text, new Map(body.properties!.map(({ key, value }) => [key, value]))) ?? text
      return { ok: true, value: config() }
    },
    'files.read-text': () => ({
      ok: true,
      value: {
        ...{ path: 'server.properties', size: text.length, modifiedAt: null, etag: text },
        content: { kind: 'text' as const, text },
      },
    }),
    'files.write-text': ({ text: next, base }) => {
      if (base.kind === 'etag' && base.etag !== text) return refused('changed')
      text = next
      return { ok: true, value: { etag: text, running: false } }
    },
    'files.read-page': () => refused('not-found'),
  })
  window.panel = way
  panel.take(connection)
})
afterEach(() => {
  for (const notice of notices()) dismiss(notice.id)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByLabelText(name, { exact: true })
const setting = (key: string) => page.getByRole('listitem').filter({ hasText: key })
const code = () => page.getByRole('textbox', { name: 'Text of server.properties' })
const inFile = () => document.querySelector('.cm-content')?.textContent ?? ''
async function open(): Promise<void> {
  await render(ServerSettings, { server: new ServerState('c', 's'), sections: [properties] })
  await expect.element(setting('difficulty')).toBeVisible()
}

describe('the settings of the game', () => {
  it('show the one that the palette led to, whatever is filtered, with the focus in its control', async () => {
    await open()
    await page.getByRole('searchbox', { name: 'Search settings' }).fill('motd')
    await expect.element(setting('difficulty')).not.toBeInTheDocument()
    askProperty({ connectionId: 'c', serverId: 's', key: 'difficulty' })
    await expect.element(setting('difficulty')).toBeVisible()
    await expect.poll(() => setting('difficulty').element().contains(document.activeElement)).toBe(true)
  })

  it('are shown by group with control, default and what runs otherwise, and found by what they say', async () => {
    extra = [
      { key: 'own.key', value: 'x' },
      {
        key: 'odd',
        type: { kind: 'unknown', raw: 'color' },
        value: true,
        group: { kind: 'unknown', raw: 'new' },
      },
    ]
    await open()
    await expect.element(page.getByRole('switch', { name: 'Player versus player' })).toBeChecked()
    await expect.element(setting('pvp')).toMatchTextContent(/Needs restart.*Runs with: off/)
    await expect.element(button('Reset Message of the day to default: A Minecraft Server')).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'own.key' })).toHaveValue('x')
    await expect.element(page.getByRole('textbox', { name: 'odd' })).toHaveValue('true')
    await page.getByRole('searchbox').fill('hunger')
    await expect.element(setting('max-players')).not.toBeInTheDocument()
    await expect.element(setting('difficulty')).toBeVisible()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('checkbox', { name: 'Changed only' }).click()
    await expect.element(setting('difficulty')).not.toBeInTheDocument()
    await expect.element(setting('motd')).toBeVisible()
  })

  it('are saved together, with a summary of what changes, and leaving asks first', async () => {
    await open()
    await field('Difficulty').selectOptions('hard')
    await page.getByRole('switch', { name: 'Player versus player' }).click()
    await expect
      .element(page.getByRole('status').filter({ hasText: 'unsaved' }))
      .toMatchTextContent('2 unsaved changes')
    await button('Review').click()
    await expect.element(page.getByRole('row', { name: /Difficulty/ })).toMatchTextContent(/Easy.*Hard/)
    let gone = false
    expect(held(() => (gone = true))).toBe(true)
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/Save the changes to Settings/)
    await button('Save and leave').click()
    await expect.poll(() => gone).toBe(true)
    expect(text).toBe('# mine\nmotd=Hello\nmax-players=20\ndifficulty=hard\npvp=false\n')
    expect(held(() => undefined)).toBe(false)
  })

  it('are reset at their control, and nothing moves', async () => {
    await open()
    const pvp = page.getByRole('switch', { name: 'Player versus player' })
    const places = () => [...document.querySelectorAll('li')].map((row) => row.getBoundingClientRect().top)
    const before = places()
    await pvp.click()
    await expect.element(setting('pvp')).toMatchTextContent(/Not saved/)
    expect(places()).toEqual(before)
    await button('Reset Player versus player to default: on').click()
    await expect.element(pvp).toBeChecked()
    await expect.element(pvp).toHaveFocus()
    await expect.element(page.getByText(/unsaved change/)).not.toBeInTheDocument()
  })

  it('that do not fit are told at their place, and nothing is saved', async () => {
    await open()
    await field('Player limit').fill('many')
    await expect.element(setting('max-players')).toMatchTextContent(/Enter a whole number/)
    await field('Resource pack SHA-1').fill('abc')
    await expect.element(setting('resource-pack-sha1')).toMatchTextContent(/40 digits/)
    await expect
      .element(page.getByRole('button', { name: 'Save' }).last())
      .toHaveAttribute('aria-disabled', 'true')
    await button('Discard').click()
    await expect.element(field('Player limit')).toHaveValue('20')
  })

  it('that somebody else changed too are shown with both values, and one is chosen', async () => {
    await open()
    await field('Player limit').fill('30')
    await field('Difficulty').selectOptions('hard')
    text = '# mine\nmotd=Other\nmax-players=40\n'
    await page.getByRole('button', { name: 'Save' }).last().click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/changed elsewhere/)
    // What only the other one has changed is no question.
    await expect.element(field('Message of the day')).toHaveValue('Other')
    await button('Mine: 30').click()
    await page.getByRole('button', { name: 'Save' }).last().click()
    await expect.poll(() => text).toBe('# mine\nmotd=Other\nmax-players=30\ndifficulty=hard\n')
  })

  it('that the server reads otherwise than they look are shown as it reads them, and say so', async () => {
    extra = [
      {
        ...{ key: 'white-list', type: 'switch', value: 'true ', default: 'false' },
        reads: 'false',
        problem: 'blank',
      },
      {
        ...{ key: 'max-world-size', type: 'number', value: '5 ', default: '29999984' },
        reads: '29999984',
        problem: 'blank',
      },
      {
        ...{ key: 'gamemode', type: 'choice', value: '1', default: 'survival' },
        reads: 'creative',
        limits: { choices: ['survival', 'creative'] },
      },
      { ...{ key: 'online-mode', type: 'switch', value: null, default: 'true' }, problem: 'byte-order-mark' },
      { ...{ key: '\ufeffonline-mode', value: 'false' }, problem: 'byte-order-mark' },
      { ...{ key: 'level-seed', type: 'text', value: 'u1', default: '' }, problem: 'escape' },
      {
        ...{ key: 'allow-flight', type: 'switch', value: 'yes', default: 'false' },
        reads: 'false',
        problem: 'type',
      },
    ]
    await open()
    const whitelist = setting('white-list')
    await expect.element(whitelist.getByRole('switch')).not.toBeChecked()
    await expect
      .element(whitelist)
      .toMatchTextContent(/a space or another invisible character.*reads it as off/)
    await expect.element(setting('max-world-size')).toMatchTextContent(/reads it as 29999984/)
    await expect.element(setting('gamemode').getByRole('combobox')).toHaveValue('creative')
    await expect.element(button('Reset Default game mode to default: Survival')).toBeVisible()
    await expect
      .element(setting('allow-flight'))
      .toMatchTextContent(/says “yes”, which the server reads as off/)
    await expect.element(setting('level-seed')).toMatchTextContent(/won’t start/)
    await expect
      .element(
        page.getByRole('listitem').filter({ hasText: /^Check accounts.*byte order mark.*uses the default/ }),
      )
      .toBeVisible()
    await expect
      .element(page.getByRole('listitem').filter({ hasText: /first line of the file/ }))
      .toBeVisible()
    await whitelist.getByRole('switch').click()
    await page.getByRole('button', { name: 'Save' }).last().click()
    await expect.poll(() => text).toContain('white-list=true\n')
  })

  it('cannot be saved with a space that nobody sees', async () => {
    await open()
    await field('Player limit').fill('30 ')
    await expect.element(setting('max-players')).toMatchTextContent(/Remove the spaces/)
    await field('Player limit').fill('+30')
    await expect.element(setting('max-players')).not.toMatchTextContent(/Remove the spaces|whole number/)
  })
})

describe('the file beside the form', () => {
  it('shows what is set in the form, and the form what is typed in it', async () => {
    await open()
    await field('Player limit').fill('30')
    await button('Show file').click()
    await expect.poll(inFile).toContain('max-players=30')
    await field('Difficulty').selectOptions('hard')
    await expect.poll(inFile).toContain('difficulty=hard')
    await code().click()
    await userEvent.keyboard('{Control>}{End}{/Control}pvp=false{Enter}')
    await expect.element(page.getByRole('switch', { name: 'Player versus player' })).not.toBeChecked()
    await page.getByRole('button', { name: 'Save' }).last().click()
    await expect.poll(() => text).toBe('# mine\nmotd=Hello\nmax-players=30\ndifficulty=hard\npvp=false\n')
    expect(way.called.some(({ name }) => name === 'files.write-text')).toBe(false)
  })

  it('keeps comments that are typed in it, also where somebody else saved meanwhile', async () => {
    await open()
    await button('Show file').click()
    await expect.poll(inFile).toContain('# mine')
    await code().click()
    await userEvent.keyboard('{Control>}{Home}{/Control}# new{Enter}')
    await field('Difficulty').selectOptions('hard')
    text = '# mine\nmotd=Other\nmax-players=20\n'
    await page.getByRole('button', { name: 'Save' }).last().click()
    await expect.poll(inFile).toContain('motd=Other')
    await page.getByRole('button', { name: 'Save' }).last().click()
    await expect.poll(() => text).toBe('# new\n# mine\nmotd=Other\nmax-players=20\ndifficulty=hard\n')
  })
})

describe('the message of the day', () => {
  it('is previewed with its colors, and its code can be typed as the file has it', async () => {
    await open()
    await field('Message of the day').fill('\\u00a7aGreen\n§lBold')
    await expect.element(field('Message of the day')).toHaveValue('§aGreen\n§lBold')
    const preview = page.getByRole('img', { name: 'Preview: Green Bold' })
    await expect.element(preview).toBeVisible()
    const green = preview.element().querySelector('span')!
    expect(getComputedStyle(green).color).toBe('rgb(85, 255, 85)')
    await field('Message of the day').fill('')
    await button('Color Gold').click()
    await userEvent.keyboard('Hi')
    await expect.element(field('Message of the day')).toHaveValue('§6Hi')
  })
})

describe('the icon', () => {
  it('is cropped and scaled from any picture, and refused where it is none', async () => {
    let png = ''
    way.answer('files.write-icon', (input) => {
      png = input.png
      return { ok: true, value: undefined }
    })
    await open()
    const picker = document.querySelector<HTMLInputElement>('input[type=file]')!
    const canvas = new OffscreenCanvas(300, 100)
    const context = canvas.getContext('2d')!
    context.fillStyle = '#f00'
    context.fillRect(0, 0, 300, 100)
    context.fillStyle = '#00f'
    context.fillRect(100, 0, 100, 100)
    await userEvent.upload(
      picker,
      new File([await canvas.convertToBlob()], 'wide.png', { type: 'image/png' }),
    )
    await expect.poll(() => png).not.toBe('')
    const made = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
    expect([made.width, made.height]).toEqual([64, 64])
    const look = new OffscreenCanvas(64, 64).getContext('2d')!
    look.drawImage(made, 0, 0)
    // The middle of the picture, and nothing of its sides.
    expect([...look.getImageData(1, 32, 1, 1).data]).toEqual([0, 0, 255, 255])
    await expect.element(page.getByRole('img', { name: 'Server icon' })).toBeVisible()
    await expect.element(button('Choose picture…')).not.toHaveAttribute('aria-busy')
    await userEvent.upload(picker, new File(['text'], 'text.png', { type: 'image/png' }))
    await expect
      .element(page.getByText('This file can’t be read as a picture. Choose another one.'))
      .toBeVisible()
  })
})
