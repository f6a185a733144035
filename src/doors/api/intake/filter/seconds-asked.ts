import { secondsIn } from '../../values/time.ts'

/** As a time is written (values/time.ts), or as a day, which begins in UTC. Of a second only the whole is looked at. */
export const secondsAsked = (text: string): number | undefined =>
  secondsIn(text.replace(/\.\d{1,9}(?=[Zz+-])/, '')) ?? secondsIn(`${text}T00:00:00Z`)
