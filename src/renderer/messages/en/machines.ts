import { loaded } from '../base/loaded.ts'

/** The machines of hosts, where files are reached over SFTP. */
export const machines = loaded({
  'machines.title': 'Files over SFTP',
  'machines.text':
    'Large files go over SFTP where your host allows it. These are the machines of your servers and the keys they showed. A machine with another key is refused.',
  'machines.text-sftp':
    'The key that the host showed when you signed in. Another one is refused until you sign in again.',
  'machines.none': 'Your servers name no machine for SFTP.',
  'machines.not-met': 'not met yet',
  'machines.forget': 'Forget',
  'machines.forget-named': 'Forget the key of {machine}',
  'machines.forget-title': 'Forget the key of {machine}?',
  'machines.forget-text':
    'The next key that it shows is accepted. Do this only if your host says that its key changed.',
  'machines.password-none':
    'Your password at the panel is needed only if your host takes no SSH keys for SFTP.',
  'machines.password-kept':
    'Your password at the panel is in the keychain. It is used where no SSH key is taken.',
  'machines.password-refused': 'A machine refused your password, so it is no longer used. Enter it again.',
  'machines.enter': 'Enter password…',
  'machines.forget-password': 'Remove password',
  'machines.enter-title': 'Enter your password at the panel',
  'machines.enter-text':
    'It is checked, kept in the keychain, and sent to these machines alone. Compare their keys with your host’s if it names them.',
  'machines.password': 'Password at the panel',
  'machines.asked': 'The machines are asked for their keys …',
  'machines.unreached': 'No machine of your servers answers over SFTP now.',
  'machines.entered': 'Password saved.',
} as const)
