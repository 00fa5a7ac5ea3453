import { expect, test } from 'vitest'
import { managementSettingsIn, propertiesIn } from './server-properties.ts'

const managementIn = (text: string) => managementSettingsIn(propertiesIn(text))
const secret = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123'
const USABLE = {
  ...{ enabled: 'true', host: 'localhost', port: '25585', secret, 'tls-enabled': 'false' },
}

const said = (changed: Record<string, string | null>) => {
  const values = Object.entries({ ...USABLE, ...changed }).filter(([, value]) => value !== null)
  return managementIn(values.map(([key, value]) => `management-server-${key}=${value}`).join('\r\n'))
}

test('the management protocol is used where it listens on this computer alone, without TLS, at a fixed port', () => {
  const on = { kind: 'on', host: '127.0.0.1', port: 25_585, secret, origin: null }
  expect(said({})).toEqual(on)
  expect(said({ host: '' })).toEqual(on)
  expect(said({ host: '\\:\\:1' })).toEqual({ ...on, host: '::1' })
  expect(said({ 'allowed-origins': 'panel, other' })).toEqual({ ...on, origin: 'panel' })
  expect(said({ 'allowed-origins': 'no header' })).toEqual(on)
})

test('it is off unless it is turned on', () => {
  for (const enabled of ['false', '', 'yes', null]) expect(said({ enabled })).toEqual({ kind: 'off' })
  expect(managementIn('')).toEqual({ kind: 'off' })
})

test('it is not used with TLS, on other addresses, at a port that is not known, or without a secret of its form', () => {
  const unusable: Record<string, string | null>[] = [
    { 'tls-enabled': 'true' },
    // TLS is on unless it is turned off.
    { 'tls-enabled': null },
    { host: '0.0.0.0' },
    { host: 'example.org' },
    { host: '127.0.0.1.example.org' },
    { port: '0' },
    { port: '70000' },
    { port: 'x' },
    { secret: '' },
    { secret: `${secret.slice(0, 38)}\r` },
  ]
  for (const changed of unusable) expect([changed, said(changed).kind]).toEqual([changed, 'unusable'])
})
