export { type PassagesOfPage, WebReader as PageReader } from '../web-reader'
