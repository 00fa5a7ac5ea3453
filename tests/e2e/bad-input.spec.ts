import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'
import { answerJson, oddService } from '../doubles/services/odd-service.ts'
import { expect, test } from './fixtures/journey.ts'
import { goToSignIn, serverLink, signIn, status, submitSignIn } from './fixtures/views.ts'

test.use({ sharesPanel: true })

const somebody = { email: 'ann@example.com', password: 'Ann likes long passwords' }

test('a base address that cannot be used is told at its field, and nothing typed is lost', async ({
  openPanel,
}) => {
  const { page } = await openPanel()
  const said = {
    'not a valid address':
      'This is not a valid address. It should look like https://panel.example.com/api/v1.',
    'http://panel.example.com/api/v1':
      'Your token would be sent unencrypted over http. Use https://panel.example.com/api/v1',
    'https://panel.example.com/panel':
      'The address must end in /api/v1. Did you mean https://panel.example.com/panel/api/v1?',
    'ftp://panel.example.com/api/v1': 'The address must begin with https://, not with ftp://.',
    'https://ann:secret@panel.example.com/api/v1': 'Leave the name and password out of the address',
  }
  await page.getByRole('button', { name: 'Sign in to a service' }).click()
  for (const [address, words] of Object.entries(said)) {
    await page.getByLabel('Service address').fill(address)
    await submitSignIn(page, somebody)
    await expect(page.getByText(words)).toBeVisible()
    await expect(page.getByLabel('Service address')).toBeFocused()
    await expect(page.getByLabel('Service address')).toHaveValue(address)
    await expect(page.getByLabel('Email')).toHaveValue(somebody.email)
    await expect(page.getByLabel('Password')).toHaveValue(somebody.password)
  }
})

test('an address behind which there is no such service', async ({ openPanel, place }) => {
  const html = createServer((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>A shop</title>'),
  )
  await new Promise<void>((resolve) => html.listen(0, '127.0.0.1', resolve))
  const { port } = html.address() as AddressInfo
  place.atEnd(() => new Promise((resolve) => (html.closeAllConnections(), html.close(resolve))))

  const { page } = await openPanel()
  await goToSignIn(page, `http://127.0.0.1:${port}/api/v1`)
  await submitSignIn(page, somebody)
  await expect(page.getByRole('alert')).toContainText(
    'The service answered in a way the panel does not understand.',
  )
  await expect(page.getByLabel('Email')).toHaveValue(somebody.email)

  await new Promise((resolve) => (html.closeAllConnections(), html.close(resolve)))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('The service cannot be reached.')
  await expect(page.getByRole('alert')).toContainText(`Nothing answers at this address`)
  await expect(page.getByLabel('Password')).toHaveValue(somebody.password)
})

test('a certificate that cannot be trusted', async ({ openPanel, startService, place }) => {
  const made = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2048 })
  const tls = { certFile: place.at('cert.pem'), keyFile: place.at('key.pem') }
  await writeFile(tls.certFile, made.cert)
  await writeFile(tls.keyFile, made.private)
  const service = await startService({ tls })
  expect(service.baseUrl).toMatch(/^https:/)
  const { page } = await openPanel()
  await goToSignIn(page, service.baseUrl)
  await submitSignIn(page, somebody)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('The certificate of this service cannot be trusted.')
  await expect(alert).toContainText('Do not enter a password.')
  await expect(page.getByLabel('Service address')).toHaveValue(service.baseUrl)
})

test('a server may be called by emoji, but not by 300 characters', async ({ openPanel, startService }) => {
  const service = await startService()
  const ann = await service.account('Ann')
  const { page } = await openPanel()
  await signIn(page, service.baseUrl, ann)
  await page.getByRole('button', { name: 'Create server' }).click()
  await page.getByLabel('Name').fill('n'.repeat(300))
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('A name can have up to 60 characters. Shorten it and try again.')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('n'.repeat(300))
  await expect(page.getByLabel('Name')).toBeFocused()

  const dragons = '🐉'.repeat(58) + '👩‍🚀🏳️‍🌈'
  await page.getByLabel('Name').fill(`${dragons}!`)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('A name can have up to 60 characters. Shorten it and try again.')).toBeVisible()
  await page.getByLabel('Name').fill(dragons)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: dragons })).toBeVisible()
  await expect(serverLink(page, dragons)).toBeVisible()
  expect((await service.must('GET', '/servers', { token: ann.token })).items[0].name).toBe(dragons)
})

test('of a list that does not fit, only what does not fit is left out, and told', async ({
  openPanel,
  place,
}) => {
  const user = { id: 'u1', name: 'Ann', email: somebody.email }
  const server = (id: string, more: object) => ({ id, name: `Server ${id}`, ...more })
  const odd = await oddService({
    'POST /auth/login': (_request, response) =>
      answerJson(response, { token: 'odd-token-of-the-journey', user }),
    'GET /users/me': (_request, response) => answerJson(response, user),
    'GET /servers': (_request, response) =>
      answerJson(response, {
        items: [
          server('a', { status: 'offline', players: { online: 0, max: 10 }, madeOf: 'cheese' }),
          server('b', { name: ['no', 'name'] }),
          server('c', { status: 'hibernating' }),
          // What is optional and of another kind costs nothing else.
          { _id: 4, name: 'Server d', software: 'Paper', players: 3, createdAt: 1_700_000_000 },
        ],
        nextCursor: null,
      }),
    'GET /servers/c': (_request, response) => answerJson(response, server('c', { status: 'hibernating' })),
    'GET /servers/status/c': (_request, response) => answerJson(response, { status: 'hibernating' }),
  })
  place.atEnd(() => odd.close())
  const { page } = await openPanel()
  await signIn(page, odd.baseUrl, somebody)
  await expect(serverLink(page, 'Server a')).toBeVisible()
  await expect(serverLink(page, 'Server d')).toBeVisible()
  await expect(page.getByText('1 entry couldn’t be read, so it is not shown (items.1.name).')).toBeVisible()
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: 'Server c' })).toContainText(
    'hibernating',
  )
  await serverLink(page, 'Server c').click()
  await expect(status(page)).toHaveText('hibernating')
})

test('a form that is sent before the catalog has come waits for it', async ({ openPanel, place }) => {
  const catalog = Promise.withResolvers<void>()
  const user = { id: 'u1', name: 'Ann', email: somebody.email }
  const made = { id: 'a', name: 'Quick', status: 'offline' }
  const list: object[] = []
  const odd = await oddService({
    'POST /auth/login': (_request, response) =>
      answerJson(response, { token: 'odd-token-of-the-journey', user }),
    'GET /users/me': (_request, response) => answerJson(response, user),
    'GET /servers': (_request, response) => answerJson(response, { items: list, nextCursor: null }),
    'GET /servers/a': (_request, response) => answerJson(response, made),
    'GET /servers/status/a': (_request, response) => answerJson(response, { status: 'offline' }),
    'GET /software': async (_request, response) => {
      await catalog.promise
      answerJson(response, { items: [{ id: 'paper', name: 'Paper' }], nextCursor: null })
    },
    'GET /software/paper/versions': (_request, response) =>
      answerJson(response, { items: [{ id: '1.21.11' }], nextCursor: null }),
    'POST /servers': (_request, response) => {
      list.push(made)
      answerJson(response, made, 201)
    },
  })
  place.atEnd(() => odd.close())
  const { page } = await openPanel()
  await signIn(page, odd.baseUrl, somebody)
  await page.getByRole('button', { name: 'Create server' }).click()
  await page.getByLabel('Name').fill('Quick')
  await page.getByLabel('Name').press('Enter')
  await expect(page.getByRole('button', { name: 'Create and start' })).toHaveAttribute('aria-busy', 'true')
  catalog.resolve()
  await expect(page.getByRole('heading', { level: 1, name: 'Quick' })).toBeVisible()
})
