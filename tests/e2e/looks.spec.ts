import { expect, test } from '@playwright/test'
import { Looks } from './fixtures/looks.ts'

test('a colour that cannot be read in the dark theme alone is found', async ({ page }) => {
  const looks = new Looks()
  await page.setContent(`<!doctype html><html lang="en"><title>Looks</title><style>
    body { background: #fff; color: #000 }
    @media (prefers-color-scheme: dark) { body { background: #111; color: #222 } }
    </style><main><h1>Hello</h1></main></html>`)
  await looks.at(page, 'faint')
  expect(() => looks.expectNothing()).toThrow('faint, dark')
})
