import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DockerEngine, javaPrograms } from '../../../../tests/fixtures/docker-engine.ts'
import { temporary } from '../../../host/temporary.fixture.ts'
import { javaProgram } from '../../software/installs/java-program.ts'
import type { ProcessExit } from '../programs/driver.ts'
import type { ServerSpec } from '../types.ts'
import { ContainerDriver } from './container-driver.ts'

const [java = ''] = javaPrograms()
const METADATA = '169.254.169.254'

let docker: DockerEngine
let image: string

beforeAll(async () => {
  docker = await DockerEngine.open()
  image = await docker.image(...javaPrograms())
})
afterAll(() => docker.close())

/** A plugin that means harm: it prints what it opens and reaches, and how much of the computer it gets. */
const ATTACKER = `
import java.io.File;
import java.net.*;
public class Attacker {
  public static void main(String[] tries) throws Exception {
    for (String path : tries[0].split(","))
      System.out.println(path + (new File(path).list() == null && !new File(path).canRead() ? " is not there" : " is open"));
    for (String to : tries[1].split(",")) {
      String[] parts = to.split(":");
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])), 1000);
        System.out.println(to + " is reached");
      } catch (java.io.IOException e) { System.out.println(to + " is not reached"); }
    }
    long began = System.nanoTime(), turns = 0;
    while (System.nanoTime() - began < 4_000_000_000L) turns++;
    System.out.println("processor " + ProcessHandle.current().info().totalCpuDuration().get().toMillis());
    int threads = 0;
    try {
      for (; threads < 2000; threads++) {
        Thread one = new Thread(() -> { try { Thread.sleep(60_000); } catch (InterruptedException e) { } });
        one.setDaemon(true);
        one.start();
      }
    } catch (Throwable e) { }
    System.out.println("threads " + threads);
    System.exit(0);
  }
}`

/** What the program prints until it has ended. */
async function printed(tries: readonly string[], more: Partial<ServerSpec>): Promise<string[]> {
  const folder = path.join(temporary(), 'server')
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'Attacker.java'), ATTACKER)
  execFileSync('javac', ['Attacker.java'], { cwd: folder })
  const spec: ServerSpec = {
    ...{ id: 'attacked', name: 'One', folder, software: { id: 'paper', version: '1' }, memoryMb: 512 },
    ...{ port: 21_000, host: '127.0.0.1', ...more },
  }
  const start = { version: '1', jvm: ['-Xmx256M'], folder, port: spec.port, software: 'vanilla' }
  const program = javaProgram({ ...start, java, entry: { form: 'jar', file: 'none.jar' } })
  const driver = await ContainerDriver.create(
    { address: docker.address, tls: null, image },
    { service: folder, servers: new Map(), log: pino({ level: 'silent' }) },
  )
  const lines: string[] = []
  const args = ['-Xmx256M', 'Attacker', ...tries]
  const running = await driver.start(
    spec,
    { ...program, args },
    (more) => void lines.push(...more),
    () => undefined,
  )
  await new Promise<ProcessExit>((resolve) => running.onExit(resolve))
  await driver.close()
  return lines
}

/** Another computer, beyond this one, that has the address. Its port 80 answers. */
async function beyond(address: string): Promise<() => void> {
  const away = spawn('unshare', [
    '--net',
    'sh',
    '-c',
    'ip link set lo up; echo there; exec busybox nc -ll -p 80 -e echo yes',
  ])
  await new Promise((resolve) => away.stdout.once('data', resolve))
  const ip = (...args: string[]) => execFileSync('ip', args)
  ip('link', 'add', 'here', 'type', 'veth', 'peer', 'name', 'away', 'netns', String(away.pid))
  ip('addr', 'add', '192.0.2.1/24', 'dev', 'here')
  ip('link', 'set', 'here', 'up')
  const there = (...args: string[]) => execFileSync('nsenter', ['-t', String(away.pid), '-n', 'ip', ...args])
  there('addr', 'add', '192.0.2.2/24', 'dev', 'away')
  there('addr', 'add', `${address}/32`, 'dev', 'away')
  there('link', 'set', 'away', 'up')
  there('route', 'add', 'default', 'via', '192.0.2.1')
  ip('route', 'add', `${address}/32`, 'via', '192.0.2.2')
  return () => away.kill('SIGKILL')
}

test('a plugin that means harm reaches no other server, not the service, the engine or the secrets of the provider', async () => {
  const service = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => service.once('listening', resolve))
  const { port } = service.address() as { port: number }
  const away = await beyond(METADATA)
  const other = path.join(temporary(), 'another server')
  mkdirSync(other)
  const folders = [other, '/root', '/var/run/docker.sock', new URL(docker.address).pathname]
  // The address of this computer as containers see it, whatever their network is.
  const addresses = [`127.0.0.1:${port}`, `192.0.2.1:${port}`, `${METADATA}:80`]
  const lines = await printed([folders.join(','), addresses.join(',')], { cpus: 0.5 })
  expect(lines.slice(0, 7)).toEqual([
    ...folders.map((folder) => `${folder} is not there`),
    ...addresses.map((address) => `${address} is not reached`),
  ])
  // What lies beyond this computer is there for who is not kept from it.
  const others = await docker.docker('run', '--rm', image, 'sh', '-c', `echo | nc -w 2 ${METADATA} 80`)
  expect(others).toBe('yes')
  const [used, threads] = ['processor', 'threads'].map((what) =>
    Number(lines.find((line) => line.startsWith(what))?.split(' ')[1]),
  )
  // Half a core for four seconds, and what it took to start; less where the computer is busy.
  expect(used).toBeGreaterThan(500)
  expect(used).toBeLessThan(3_000)
  expect(threads).toBeGreaterThan(100)
  expect(threads).toBeLessThan(512)
  away()
  service.close()
})
