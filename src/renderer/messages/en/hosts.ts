import { loaded } from '../base/loaded.ts'

export const hosts = loaded({
  'host.open': 'Open its panel',
  'host.elsewhere': 'Everything else is in your host’s own panel.',
  'host.elsewhere-sftp': 'What isn’t here can’t be done over SFTP.',
  'host.no-servers': 'No servers here',
  'host.no-servers-text': 'Your account at this panel has none. Servers are made by the host.',
  'host.no-exaroton-servers': 'Your account at exaroton has none. Create one at exaroton.com.',
} as const)
