/** What all screens of whoever runs the farm say. */
export const owner = {
  'owner.managers-only': 'Only a manager of this farm can do this: ask one.',
  'owner.needs-signal': 'This needs signal. Nothing here is kept on the device.',
  'owner.confirm': 'Your password, please',
  'owner.confirm-why': 'For the next 15 minutes you can run the farm from this device.',
  'owner.password': 'Password',
  'owner.go-on': 'Go on',
  'owner.wrong-password': 'That is not your password. Type it again.',
  'owner.too-often': 'Too many wrong passwords. Wait a minute, then try again.',
  'owner.qr': 'The link as a code for a camera',
} as const
