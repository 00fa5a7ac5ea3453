import { beforeEach, describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-svelte'
import { page, userEvent } from 'vitest/browser'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import Pager from './pages/Pager.svelte'

const at = { connectionId: 'c', serverId: 's', path: 'logs/big.log' }
let file: Uint8Array
let way: ScriptedBridge

beforeEach(() => {
  file = new TextEncoder().encode(Array.from({ length: 12_000 }, (_, line) => `line ${line} ä\n`).join(''))
  way = new ScriptedBridge({
    'files.read-page': ({ offset, length }) => {
      const part = file.subarray(offset, offset + length)
      const bytes = btoa(Array.from(part, (byte) => String.fromCharCode(byte)).join(''))
      return { ok: true, value: { offset, size: file.length, bytes } }
    },
  })
  window.panel = way
})

const content = () => page.getByRole('region', { name: 'Content of the file' })
const shown = () => content().element().querySelector('pre')!.textContent
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('a file too large to be edited', () => {
  it('is read page by page, and nothing is left out between two pages', async () => {
    await render(Pager, { ...at, why: 'large' })
    await expect.element(content()).toMatchTextContent(/^\s*line 0 ä/)
    await expect.element(button('Previous page')).toBeDisabled()
    let read = shown()
    while (button('Next page').element().getAttribute('aria-disabled') !== 'true') {
      const before = way.called.length
      await userEvent.click(button('Next page'))
      await expect.poll(() => way.called.length).toBe(before + 1)
      await expect.element(content()).toHaveAttribute('aria-busy', 'false')
      read += shown()
    }
    expect(read === new TextDecoder().decode(file)).toBe(true)
  })

  it('shows its end, and follows what is written there', async () => {
    await render(Pager, { ...at, why: 'large' })
    await userEvent.click(button('Last page'))
    await expect.element(content()).toMatchTextContent(/line 11999 ä\s*$/)
    await userEvent.click(button('Follow the end of the file'))
    file = new TextEncoder().encode(`${new TextDecoder().decode(file)}the newest line\n`)
    await expect.element(content()).toMatchTextContent(/the newest line\s*$/)
  })

  it('jumps to an offset, and says where there is none', async () => {
    await render(Pager, { ...at, why: 'large' })
    await expect.element(content()).toMatchTextContent(/^\s*line 0 ä/)
    await userEvent.fill(page.getByRole('textbox', { name: 'Offset' }), '999999999')
    await userEvent.click(button('Jump'))
    await expect.element(page.getByRole('alert')).toMatchTextContent(/no such position/)
    await userEvent.fill(page.getByRole('textbox', { name: 'Offset' }), '0x10000')
    await userEvent.click(button('Jump'))
    await expect.poll(() => way.called.at(-1)?.input).toMatchObject({ offset: 0x10000 })
    expect(page.getByRole('alert').elements()).toEqual([])
  })
})

describe('a file that is no text', () => {
  it('is shown in numbers, or as text when asked to', async () => {
    await render(Pager, { ...at, why: 'binary' })
    await expect.element(page.getByRole('row').nth(1)).toMatchTextContent(/00000000\s*6c 69 6e 65/)
    await userEvent.click(button('Text'))
    await expect.element(content()).toMatchTextContent(/^\s*line 0 ä/)
  })
})
