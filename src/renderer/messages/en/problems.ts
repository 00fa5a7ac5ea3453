import { loaded } from '../base/loaded.ts'

/** Words for every problem code: what happened, and what to do now. */
export const problems = loaded({
  'problem.signed-out': 'You are signed out of this service',
  'problem.signed-out.now': 'Sign in again to continue. What is shown here stays.',
  'problem.invalid': 'The service did not accept this',
  'problem.invalid.now': 'Check what you entered and try again.',
  'problem.forbidden': 'Your account is not allowed to do this',
  'problem.forbidden.now': 'Ask the owner of the server, or whoever runs the service, for permission.',
  'problem.forbidden.now-service': 'Ask whoever runs the service for permission.',
  'problem.not-found': 'This could not be found',
  'problem.not-found.now':
    'It may have been removed, or is no longer shared with you. Check what is there now.',
  'problem.unavailable': 'This service does not offer this',
  'problem.unavailable.now': 'The panel checks again after a day, or when you ask it to.',
  'problem.computer': 'There is a problem on this computer',
  'problem.too-large': 'This is larger than the service accepts',
  'problem.too-large.now': 'Make it smaller, or ask the people who run the service for a higher limit.',
  'problem.conflict': 'This conflicts with the current state',
  'problem.conflict.now': 'Check the current state, then try again.',
  'problem.changed': 'This has been changed elsewhere',
  'problem.changed.now': 'Make your change again in the newest version.',
  'problem.incompatible': 'The service answered in a way the panel does not understand',
  'problem.incompatible.now':
    'The service may be newer or older than the panel. Update the panel, or tell the people who run the service.',
  'problem.incompatible.why': 'What could not be read: {detail}',
  'problem.unconfirmed': 'Sent; the service did not confirm it',
  'problem.unsure.now':
    'It is not known whether this was done. Look at how things stand before you try again.',
  'problem.rate-limited': 'The service has received too many requests',
  'problem.rate-limited.now': 'Wait a moment and try again.',
  'problem.rate-limited.wait': {
    one: 'Try again in {count} second.',
    other: 'Try again in {count} seconds.',
  },
  'problem.service-failed': 'The service had an internal error',
  'problem.service-failed.now': 'Try again. If this keeps happening, tell the people who run the service.',
  'problem.not-now': 'The service isn’t available right now',
  'problem.not-now.now': 'Try again in a moment.',
  'problem.broken': 'The service’s answer couldn’t be read',
  'problem.no-room': 'The service has no space left for this',
  'problem.no-room.now': 'Free up space there, or ask the people who run the service to. Then try again.',
  'problem.offline': 'The service cannot be reached',
  'problem.offline.now': 'Check the network and the address. What was loaded before stays visible.',
  'problem.untrusted': 'The certificate of this service cannot be trusted',
  'problem.untrusted.now':
    'Do not enter a password. Check the address, or ask the people who run the service to fix the certificate.',
  'problem.bad-address': 'This base address cannot be used',
  'problem.bad-address.now': 'Correct the address and try again.',
  'problem.local-failed': 'The service on this computer did not start',
  'problem.local-failed.now': 'Try again. If this keeps happening, copy the details; the log says more.',
  'problem.refused': 'The panel refused this request',
  'problem.refused.now':
    'This is an error in the panel. Reload the window, and copy the details for a report.',
  'problem.part': 'This part of the panel couldn’t be loaded',
  'problem.internal': 'Something went wrong in the panel',
  'problem.internal.now': 'Try again. If this keeps happening, copy the details for a report.',
} as const)
