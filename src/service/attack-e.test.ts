import { appendFileSync, writeFileSync, readdirSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { openPaper } from './changes/server-changes.fixture.ts'
import { movedServer, zipOf } from '../../tests/fixtures/moved-server.ts'
const say = (...x: unknown[]) => appendFileSync('/tmp/attack-e.log', x.map((y) => (typeof y === 'string' ? y : JSON.stringify(y))).join(' ') + '\n')
test('race', { timeout: 560000 }, async () => {
  writeFileSync('/tmp/attack-e.log', '')
  void movedServer; void zipOf
  const p = await openPaper()
  const { ask, id, folder, put, at } = p
  let seed = Number(process.env.SEED ?? 1)
  const rnd = () => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed / 0x7fffffff }
  const ops: [string, () => Promise<{ status: number; body: any }>][] = [
    ['start', () => p.power('start')], ['stop', () => p.power('stop')], ['kill', () => p.power('kill')], ['restart', () => p.power('restart')],
    ['change', () => p.change({ id: 'paper', version: '1.20.6' })], ['changeback', () => p.change({ id: 'paper', version: '1.20.4' })],
    ['undo', () => ask(`POST /servers/software/undo/${id}`)], ['forget', () => ask(`DELETE /servers/software/copy/${id}`)],
    ['reset', () => ask(`POST /servers/reset/${id}`, { keep: ['extensions', 'players', 'config', 'files'] })],
    ['dup', () => ask(`POST /servers/duplicate/${id}`, { name: 'Dup' })],
    ['props', () => ask(`PATCH /servers/config/${id}`, { properties: [{ key: 'motd', value: 'm' + Math.floor(rnd() * 100) }], memoryMb: 512 })],
    ['port', () => ask(`POST /servers/port/${id}`, {})],
    ['port2', () => ask(`PATCH /servers/config/${id}`, { port: 29000 + Math.floor(rnd() * 3) })],
    ['move', () => ask(`POST /servers/files/move/${id}`, { items: [{ from: 'world', to: 'world2' }] })],
    ['moveback', () => ask(`POST /servers/files/move/${id}`, { items: [{ from: 'world2', to: 'world' }] })],
    ['del', () => ask(`POST /servers/files/delete/${id}`, { paths: ['plugins'] })],
    ['copy', () => ask(`POST /servers/files/copy/${id}`, { items: [{ from: 'world', to: 'w' + Math.floor(rnd() * 100) }] })],
    ['archive', () => ask(`POST /servers/files/archive/${id}`, { paths: ['world'], to: 'a' + Math.floor(rnd() * 1000) + '.zip', format: 'zip' })],
    ['exts', () => ask(`GET /servers/extensions/${id}`)],
    ['ban', () => ask(`POST /servers/players/act/${id}`, { action: 'ban', names: ['Steve'], reason: 'x' })],
    ['wl', () => ask(`PUT /servers/players/whitelist/${id}`, { enabled: rnd() > 0.5 })],
  ]
  const until = Date.now() + 240000
  let n = 0
  while (Date.now() < until) {
    const chosen = Array.from({ length: 5 }, () => ops[Math.floor(rnd() * ops.length)]!)
    const rs = await Promise.all(chosen.map(async ([name, f]) => { await new Promise((r) => setTimeout(r, rnd() * 120)); const r = await Promise.race([f().catch((e) => ({ status: -1, body: String(e) })), new Promise<{ status: number; body: any }>((r) => setTimeout(() => r({ status: -2, body: 'HANG' }), 60000))]); return [name, r.status, r.body?.error?.code] as const }))
    n++
    for (const [name, status, code] of rs) if (status >= 500 || status < 0) say('BAD', n, name, status, code, rs)
    if (rnd() < 0.3) {
      let s = ''
      for (let i = 0; i < 300; i++) { s = (await ask(`GET /servers/status/${id}`)).body.status; if (s === 'offline' || s === 'crashed') break; if (s === 'online') await p.power('stop'); await new Promise((r) => setTimeout(r, 60)) }
      if (s !== 'offline' && s !== 'crashed') say('STUCK', n, s)
      if (existsSync(join(folder, 'copies', id, 'journal.json'))) say('OPEN JOURNAL', n, rs)
      const st = readdirSync(join(folder, 'staging', id)).filter((x) => !['extensions', 'uploads'].includes(x)); if (st.length) say('STAGING', n, st, rs)
      const cp = existsSync(join(folder, 'copies', id)) ? readdirSync(join(folder, 'copies', id)).filter((x) => x.startsWith('copy-')) : []; if (cp.length > 1) say('COPIES', n, cp, rs)
      const list = (await ask('GET /servers')).body.items
      for (const one of list) if (one.id !== id) { const d = await ask(`DELETE /servers/${one.id}?confirm=${one.name}`); if (d.status >= 400) say('DEL', d.status, d.body) }
      for (const d of ['servers', 'staging', 'copies']) { if (!existsSync(join(folder, d))) continue; const extra = readdirSync(join(folder, d)).filter((x) => x !== id && !(list.some((o: any) => o.id === x))); if (extra.length) say('EXTRA', d, extra) }
      if (!existsSync(at('world'))) await put('world/level.dat', 'x')
      if (!existsSync(at('plugins/Shop.jar'))) await put('plugins/Shop.jar', 'x')
    }
  }
  say('rounds', n)
})
