import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openWindow, testPorts } from '../panel/panel.fixture.ts'
import { createPanel } from '../panel/panel.ts'
import { answeringProxy } from './answering-proxy.ts'
import type { ServiceProcess, PanelMessage } from './service-launcher.ts'

it('answers a service that asks for the way to an address, and goes directly where the system does not say', async () => {
  const sent: PanelMessage[] = []
  let ask = (_message: unknown): void => {}
  let args: string[] = []
  const child: ServiceProcess = {
    send: (message) => void sent.push(message),
    onMessage: (listener) => {
      ask = listener
      return () => {}
    },
    onExit: () => () => {},
    kill: () => {},
  }
  const launcher = answeringProxy({ launch: (given) => ((args = given), child) }, (address) =>
    address.includes('broken') ? Promise.reject(new Error('no')) : Promise.resolve(`PROXY for-${address}`),
  )
  expect(launcher.launch(['--parent'])).toBe(child)
  expect(args).toEqual(['--parent', '--parent-proxy'])
  ask({ type: 'resolve-proxy', id: 1, address: 'https://a.example/' })
  ask({ type: 'resolve-proxy', id: 2, address: 'https://broken.example/' })
  ask({ type: 'resolve-proxy', id: 'x', address: 'https://a.example/' })
  ask({ type: 'resolve-proxy', id: 3, address: 'no address' })
  await expect
    .poll(() => sent)
    .toEqual([
      { type: 'proxy', id: 1, ways: 'PROXY for-https://a.example/' },
      { type: 'proxy', id: 2, ways: 'DIRECT' },
    ])
})

it('the service of this computer asks its catalogs by the proxy that the system of the panel names', async () => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']) vi.stubEnv(name, undefined)
  vi.stubEnv('WHEELHOUSE_CATALOGS', 'on')
  onTestFinished(() => void vi.unstubAllEnvs())
  const tunnels: string[] = []
  const proxy = createServer().on('connect', (request, socket) => {
    tunnels.push(request.url ?? '')
    socket.end('HTTP/1.1 502 No\r\n\r\n')
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const folder = await mkdtemp(join(tmpdir(), 'answering-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 5 }))
  const asked: string[] = []
  const ports = testPorts(folder)
  const launcher = answeringProxy(ports.launcher, async (address) => {
    asked.push(address)
    return `PROXY 127.0.0.1:${(proxy.address() as AddressInfo).port}`
  })
  const panel = await createPanel({ ...ports, launcher })
  onTestFinished(() => panel.close())
  const { call, view } = openWindow(panel)
  await call('connections.this-computer', undefined)
  await view('software.versions', { connectionId: 'local', params: { softwareId: 'paper' } }).catch(
    () => null,
  )
  await expect.poll(() => tunnels.length, { timeout: 20_000 }).toBeGreaterThan(0)
  expect(asked[0]).toBe(`https://${tunnels[0]?.replace(':443', '')}/`)
})
