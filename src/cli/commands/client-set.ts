import { setClient } from '../../access/oauth/registration.ts'
import { changeFrom, clientOptions } from '../client-options.ts'
import { command } from '../command.ts'
import { existingFarmOptions } from '../farm-options.ts'
import { Misuse } from '../misuse.ts'
import { inExistingFarm } from '../operation/existing-farm.ts'
import { flag, one } from '../option.ts'
import { anyText } from '../option-values.ts'
import { say } from '../terminal.ts'

const changeOptions = {
  label: one('L', anyText, { help: 'The name that users are shown when they are asked to agree' }),
  ...clientOptions,
  disable: flag({ help: 'Refuse the client and end its tokens', opposite: 'enable' }),
  enable: flag({ help: 'Admit a disabled client again', opposite: 'disable' }),
}

const nothingToChange = (): Misuse => {
  const names = Object.keys(changeOptions).map((name) => `--${name}`)
  return new Misuse(`furrow client set needs to know what to change: ${names.join(', ')}. Nothing was changed.`)
}

export const clientSet = command({
  words: 'client set',
  summary: 'Change a client; a list that is given replaces the one before, an empty value empties it',
  takes: { ID: 'The client id' },
  options: { ...changeOptions, ...existingFarmOptions },
  async run({ names: { ID: id }, options }) {
    const { label, disable, enable } = options
    const change = { label, disabled: disable || enable ? disable : undefined, ...changeFrom(options) }
    if (Object.values(change).every((value) => value === undefined)) throw nothingToChange()
    await inExistingFarm(options, (installation) => setClient(installation, id, change))
    say(`${id} is changed.`)
  },
})
