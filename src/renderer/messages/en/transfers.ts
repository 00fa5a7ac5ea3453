import { loaded } from '../base/loaded.ts'

export const transfers = loaded({
  'transfers.title': 'Transfers',
  'transfers.open': 'Open transfers ({keys})',
  'transfers.close': 'Close transfers',
  'transfers.moving': {
    one: '{count} transfer · {percent}',
    other: '{count} transfers · {percent}',
  },
  'transfers.questions': {
    one: '{count} needs your decision',
    other: '{count} need your decision',
  },
  'transfers.failures': {
    one: '{count} failed',
    other: '{count} failed',
  },

  'transfer.name-and-more': {
    one: '{name} and {count} more',
    other: '{name} and {count} more',
  },

  'transfer.files-skipped': {
    one: '{count} skipped',
    other: '{count} skipped',
  },

  'transfer.taken': '“{path}” already exists.',

  'transfers.said-done': 'Transfer finished: {name}',
  'transfers.did-download': 'Downloaded {name}',
  'transfers.did-copy': 'Copied {name}',
  'transfers.notice-asking': 'Needs your decision: {name}',
  'transfers.notice-failed': 'Not transferred: {name}',
  'transfers.notice-some': {
    one: '{name}: {count} file was not transferred',
    other: '{name}: {count} files were not transferred',
  },
  'transfers.notice-show': 'Show',
} as const)
