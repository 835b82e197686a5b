import { fold } from './fold'
import { stem } from './stem'

/** What people ask with and what documents say instead, of everyday papers in English, Portuguese and Spanish. */
const groups = `
cost price charge fee pay payment amount sum expense spend custo preço valor tarifa pagar pagamento quantia gasto gastar coste precio importe pago renta abonar custar costar rent aluguel alquiler
limit maximum most highest limite máximo até límite hasta
salary wage earn income gross salário ganhar bruto remuneração salario ganar sueldo
turnover revenue sales income faturamento receita vendas faturar facturar ingresos ventas
loss lose lost prejuízo perder pérdida perdió
employee staff worker people personnel workforce funcionário empregado pessoas pessoal empleado trabajador personas plantilla
pet animal dog cat bicho cão cachorro gato mascota perro
probation trial experiência prueba
holiday vacation leave férias folga descanso vacaciones libre
notice cancel terminate quit leaving moving aviso rescindir demitir sair saída mudar preaviso rescisión renunciar salida mudarse
sublet sublease subletting subrent sublocar sublocado alugar subarrendar subarrendado
deposit security guarantee collateral caução garantia fianza garantía
warranty guarantee garantia garantía
repair fix fixing maintenance reparo conserto manutenção reparación arreglo mantenimiento
minor small little pequeno menor pequeño
late delay overdue atraso atrasar retraso demora
surcharge penalty extra multa juros recargo
weight heavy weigh peso pesar pesado
noise loud sound decibel ruído barulho ruido decibelio
error fault failure display erro falha defeito visor fallo avería pantalla
spare replacement part reposição peça repuesto recambio
start begin beginning first start início começar primeiro comienzo empezar primer inicio
expire valid validity expira validade valer vencer caducar válido vigencia
request call requisição chamada petición llamada
entry item record element registro item elemento
chair lead leader head preside president board presidir presidência liderar conduzir presidencia dirigir
meeting assembly gathering reunião assembleia reunión junta sesión
owner shareholder landlord proprietário dono condômino acionista propietario dueño accionista casero
dividend payout distribution dividendo distribuição reparto repartir reciben
emission carbon co2 dioxide emissão carbono dióxido emisión
bike bicycle bicicleta bici bikes
excess deductible franchise franquia segurado arca franquicia asegurado asume primeiros primeros
phone telephone line call telefone ligar linha teléfono llamar línea
accident damage claim incident acidente dano sinistro accidente daño siniestro
dive diving diver mergulhar mergulho mergulhador bucear buceo buceador
depth metre deep profundidade metro profundidad
ski skiing winter esquiar inverno invierno
baggage luggage suitcase bagagem mala equipaje maleta
stolen theft robbed roubo roubado furto robo robado
prolong extend renew renewal prorrogar renovar prorrogación extender
switch disable shut retire desligar desligado apagar apagan
release version edition versão versión
unlock reactivate unblock liberar reativar desbloquear reactivar
lock block blocked bloquear travado bloqueado
verify check authentic signed signature verificar assinado assinatura comprobar firmar firma
callback webhook notification
allowed allow permit may autorização permitido permissão permiso permitir
customer client cliente
work advise consult trabalhar assessorar trabajar asesorar
remove removed take retirar tirar remover quitar
increase rise raise grow aumentar subir aumento subida crecer
reduce cut fall fell reduction reduzir redução cair caíram reducir bajar bajaron
store warehouse storehouse armazém depósito almacén
written write off devaluation baixa depreciação depreciar depreciación
cover coverage include insured cobertura coberto incluir cubierto cubrir incluido
length long longest centimetre comprimento centímetro longitud
duration minute hour time minutos tempo duração minuto tiempo duración
`
const sameAs = new Map<string, Set<string>>()
for (const group of groups.split('\n')) {
  const stems = new Set(
    group
      .split(' ')
      .filter(Boolean)
      .map((word) => stem(fold(word))),
  )
  for (const each of stems) sameAs.set(each, new Set([...(sameAs.get(each) ?? []), ...stems]))
}

/** Other stems that may stand for one. */
export function relatedTo(term: string): string[] {
  return [...(sameAs.get(term) ?? [])].filter((other) => other !== term)
}
