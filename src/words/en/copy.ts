/** State of the device's local copy. */
export const copy = {
  'copy.plain-http':
    'This farm is open only while it can be reached: over plain http a browser keeps no app. The person who runs the server can give it an https address.',
  'copy.logs-dropped': 'This device has little room left. It now keeps finished logs of the last {days} days only.',
  'copy.no-room-for-photos':
    'This device is nearly full: photos can be added again once some room is free. What you write is saved as ever.',
  'copy.photo-unreadable':
    '{name} was not added: this browser cannot read it. Choose it as JPEG or PNG. What you write is saved as ever.',
  'copy.clock-fast': {
    one: 'The clock of this device is {count} minute fast. The times that you save are put right.',
    other: 'The clock of this device is {count} minutes fast. The times that you save are put right.',
  },
  'copy.clock-slow': {
    one: 'The clock of this device is {count} minute slow. The times that you save are put right.',
    other: 'The clock of this device is {count} minutes slow. The times that you save are put right.',
  },
  'copy.others-wait': {
    one: '{count} entry of {name} waits on this device. It goes out when {name} logs in here.',
    other: '{count} entries of {name} wait on this device. They go out when {name} logs in here.',
  },
  'copy.lacking': {
    one: 'The farm was put back from a backup and lacks {count} entry that was sent from here. The outbox offers to send it again.',
    other:
      'The farm was put back from a backup and lacks {count} entries that were sent from here. The outbox offers to send them again.',
  },
  'copy.new-version': 'A new version of the app is here.',
  'copy.use-new-version': 'Use it now',
  'copy.understood': 'All right',
} as const
