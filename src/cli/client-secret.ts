import { say } from './terminal.ts'

export function saySecret(secret: string): void {
  say('Its secret, which is not kept here and cannot be shown again:', '', `  ${secret}`, '')
}
