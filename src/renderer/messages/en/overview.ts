import { loaded } from '../base/loaded.ts'

export const overview = loaded({
  'overview.status': 'Status',
  'overview.for': 'for {length}',
  'overview.address': 'Address',
  'overview.software': 'Software',
  'overview.memory': 'Memory',
  'overview.memory-limit': 'limit',
  'overview.step-copy': 'Making a copy',
  'overview.step-java': 'Downloading Java',
  'overview.step-software': 'Downloading software',
  'overview.step-setup': 'Setting it up',
  'overview.step-pack': 'Downloading the modpack',
} as const)
