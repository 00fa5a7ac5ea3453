import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, test } from './fixtures/journey.ts'
import { startWeb } from './fixtures/panel.ts'
import type { Place } from './fixtures/place.ts'

// What a person reads in the terminal when a program cannot start. Nobody needs a window for that: @browser

/** Takes a port of this computer, as another program would. */
async function takePort(place: Place): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  place.atEnd(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** One sentence or two for people: no stack, no code of the system alone. */
function expectPlain(output: string): void {
  expect(output).not.toMatch(/^\s+at /m)
  expect(output).not.toMatch(/EADDRINUSE|Error:/)
  expect(output).toMatch(/(Choose|End|Start|start) .*\./)
}

test('a port that is taken: the panel says by whom and ends @browser', async ({ place }) => {
  const port = await takePort(place)
  const program = startWeb(place, { port })
  expect((await program.ended).code).toBe(1)
  expect(program.output).toContain(`${port}`)
  expect(program.output).toContain(`process ${process.pid}`)
  expectPlain(program.output)
})

test('a folder that is held: the panel says by whom and ends @browser', async ({ place }) => {
  const first = startWeb(place)
  await first.says(/^Panel: (\S+)$/m)
  const second = startWeb(place)
  expect((await second.ended).code).toBe(1)
  expect(second.output).toContain(`process ${first.pid}`)
  expect(second.output).toContain(place.at('panel'))
  expectPlain(second.output)
  expect(first.ending).toBeNull()
})

test('a folder that cannot be used: the panel says why and ends @browser', async ({ place }) => {
  await writeFile(place.at('panel'), 'a file')
  const program = startWeb(place)
  expect((await program.ended).code).toBe(1)
  expect(program.output).toContain(place.at('panel'))
  expectPlain(program.output)
})

test('a service that was started by hand holds the folder of this computer: the panel says so', async ({
  openPanel,
  startService,
}) => {
  const service = await startService({ name: 'panel/service' })
  const { page } = await openPanel()
  await page.getByRole('button', { name: 'This computer' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('The service on this computer did not start')
  await expect(alert).toContainText(`is in use by process ${service.program.pid}`)
  await service.program.end()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No servers here yet')).toBeVisible()
})
