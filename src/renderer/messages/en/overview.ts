import { loaded } from '../base/loaded.ts'

export const overview = loaded({
  'overview.software': 'Software',
  'overview.memory': 'Memory',
  'overview.cpu': 'CPU',
  'overview.up-to': 'up to {limit}',
  'overview.uptime': 'Uptime',
  'overview.since': 'since {time}',
  'overview.offline-since': 'offline since {time}',
  'overview.disk': 'Disk',
  'overview.free': '{free} free',
  'overview.step-copy': 'Making a copy',
  'overview.step-java': 'Downloading Java',
  'overview.step-software': 'Downloading software',
  'overview.step-setup': 'Setting it up',
  'overview.step-restore': 'Bringing back the backup',
  'overview.step-pack': 'Downloading the modpack',
} as const)
