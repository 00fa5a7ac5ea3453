import { expect, test } from '@playwright/test'
import { Looks } from './fixtures/looks.ts'
import { faultsOfTexts } from './fixtures/translated.ts'

test('a color that cannot be read in the dark theme alone is found', async ({ page }) => {
  const looks = new Looks()
  await page.setContent(`<!doctype html><html lang="en"><title>Looks</title><style>
    body { background: #fff; color: #000 }
    @media (prefers-color-scheme: dark) { body { background: #111; color: #222 } }
    </style><main><h1>Hello</h1></main></html>`)
  await looks.at(page, 'faint')
  expect(() => looks.expectNothing()).toThrow('faint, dark')
})

test('a text that is not translated, is cut off, lies over another one or leaves the window is found', async ({
  page,
}) => {
  const faultsOf = async (body: string) => {
    await page.setContent(`<!doctype html><html lang="de"><title>Wheelhouse</title><style>
      .cut { width: 60px; overflow: hidden; white-space: nowrap }
      </style><main>${body}</main></html>`)
    return await faultsOfTexts(page)
  }
  expect(
    await faultsOf('<p>⟦Ťhé ⟦náme⟧ of</p> <b>Far away⟧</b> 12 MB <code>rm</code> <bdi>Steve</bdi>'),
  ).toEqual([])
  expect(await faultsOf('<p>⟦Ťhé⟧ server</p>')).toEqual(['not translated: "⟦Ťhé⟧ server" in <p></p>'])
  expect(await faultsOf('<button aria-label="Close">×</button>')).toMatchObject([
    expect.stringContaining('aria-label="Close"'),
  ])
  expect(await faultsOf('<input placeholder="Search">')).toHaveLength(1)
  expect(await faultsOf('<p class="cut">⟦Áňý lóňgér ťéxť⟧</p>')).toMatchObject([
    expect.stringMatching(/^cut off.*720/),
    expect.stringMatching(/^cut off.*1056/),
  ])
  expect(await faultsOf('<p class="cut" style="text-overflow: ellipsis">⟦Áňý lóňgér ťéxť⟧</p>')).toEqual([])
  expect(await faultsOf('<p>⟦óňé⟧</p><p style="margin-top: -30px">⟦ťwó⟧</p>')).toMatchObject([
    expect.stringMatching(/^overlap.*720/),
    expect.stringMatching(/^overlap.*1056/),
  ])
  expect(await faultsOf('<p style="margin-left: 700px">⟦wórďwórď⟧</p>')).toMatchObject([
    expect.stringContaining('outside of the window'),
  ])
})
