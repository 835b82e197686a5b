import { textsOf } from '../texts-of'

export { default as errors } from './errors.json'
export default textsOf(import.meta.glob<object>(['./*.json', '!./errors.json'], { eager: true, import: 'default' }))
