import type { LabelDictionary } from './concepts';
import { phrases } from './phrases';

export const SPANISH: LabelDictionary = {
  language: 'es',
  stopWords: 'el la los las de del y para por con su se en una un al es factura fecha cliente nuestra'.split(
    ' ',
  ),
  labels: {
    invoiceNumber: phrases(`
      Número de factura, Nº de factura, N° de factura, Nº factura, Núm factura, Núm de factura, Factura Nº,
      Factura N, Factura número, Factura núm, No factura, No de factura, Factura no, Factura #, Num factura,
      Número factura, Número, Nº abono, Abono Nº, Número de abono, Factura rectificativa Nº, Factura
      rectificativa número, Nº factura rectificativa, Número de factura rectificativa, Nº de recibo, Recibo
      Nº, Ticket Nº, Nº ticket, Nº documento, Nº de documento, Número de documento, Factura simplificada Nº,
      Factura simplificada, Nota de crédito Nº, Número de nota de crédito, Nº de abono, Número de ticket,
      Número de recibo, Nº Fra, Fra Nº, Factura proforma Nº, Ref factura, Referencia factura, Factura serie,
      Serie y número, Serie número, Nota de crédito número, Nº fact, Documento Nº, Nº de nota de crédito, Nº
      nota de crédito, Código de factura, Identificador de factura, Núm abono`),
    otherNumber: phrases(`
      Nº cliente, Número de cliente, Código de cliente, Código cliente, Cod cliente, Nº de cliente, N cliente,
      Nº pedido, Número de pedido, Nº de pedido, Pedido, Pedido Nº, Su pedido, Su referencia, Nuestra
      referencia, Referencia, Ref, Nº albarán, Albarán, Albarán Nº, Número de albarán, Nº de albarán, Nº
      contrato, Número de contrato, Nº de contrato, Contrato, Orden de compra, Nº orden de compra, Número de
      cuenta, Nº de cuenta, Nº cuenta, Factura original, Factura rectificada, Factura que rectifica, Rectifica
      a la factura, Rectifica la factura, Factura de referencia, Nº proveedor, Expediente, Nº expediente,
      Presupuesto, Nº presupuesto, Proyecto, Nº factura original, Factura original Nº, Nº factura rectificada,
      Sobre factura, Factura relacionada, Corresponde a factura, Corrige la factura, Anula la factura,
      Referencia cliente, Ref cliente, Nº operación, Abono de la factura, Número de expediente, Orden, CUPS,
      Referencia de pago, Número de factura rectificada, Número de factura original, Anula factura, Rectifica
      factura`),
    issueDate: phrases(`
      Fecha de factura, Fecha factura, Fecha, Fecha de emisión, Fecha emisión, Fecha de expedición, Emitida
      el, Fecha de la factura, Fecha de facturación, Fecha documento, Fecha del documento, Fecha abono, Fecha
      de abono, Fecha expedición, Fecha y hora, Expedida el, Con fecha, Factura de fecha, Emitido el, Fecha
      recibo, Fecha de venta, Fecha de la nota de crédito, Fecha Fra`),
    dueDate: phrases(`
      se cargará el, Fecha de adeudo, Fecha de vencimiento, Vencimiento, Fecha vencimiento, Vence el, Vence, Fecha límite de pago, Pagar antes
      del, A pagar antes del, Fecha de pago, Pago antes del, Vencimientos, Fecha límite, Pagadero hasta, Vto,
      Fecha de vto, Fecha vto, Plazo de pago hasta, Páguese antes del, Abonar antes del, a más tardar el, Fecha máxima de
      pago, Fecha límite pago, pagadera hasta el, pagadero antes del, Pago hasta el, con vencimiento el, con
      vencimiento, Vencimiento el, Pagadera antes del, antes del, Fecha de vencimiento de pago, Vencimiento de
      pago, Vencimiento del pago, Fecha prevista de pago, Fecha de cargo`),
    otherDate: phrases(`
      Fecha de entrega, Fecha entrega, Fecha de pedido, Fecha pedido, Período, Periodo, Periodo de
      facturación, Fecha de operación, Fecha operación, Fecha de servicio, Fecha de envío, Fecha del pedido,
      Fecha de prestación, Fecha albarán, Fecha de factura original, Fecha factura original, Periodo
      facturado, Fecha de inicio, Fecha de fin, Fecha del servicio, Fecha factura rectificada, Fecha de la
      factura original, Servicio prestado, Desde, Hasta, Fecha de llegada, Fecha de salida, Periodo de
      servicio, Fecha del albarán, Fecha de la operación`),
    net: phrases(`
      Base imponible, Subtotal sin IVA, Total sin IVA, Importe neto, Total neto, Neto, Total base imponible,
      Base, Importe sin IVA, Total sin impuestos, Suma base imponible, Total bases imponibles, B imponible,
      Importe base, Base imp, Bruto sin IVA, Total bruto sin IVA, Subtotal neto, Base I V A, Base imponible
      total, Total base, Total antes de impuestos, Importe total sin IVA, Importe total neto, Suma neta, Total
      neto sin IVA, Total BI, Total imponible, Importe antes de impuestos, Base imponible IVA, Suma de bases
      imponibles, Valor neto`),
    tax: phrases(`
      IVA, I V A, Total IVA, Cuota IVA, Importe IVA, Cuota, Impuestos, Total impuestos, IGIC, Cuota de IVA,
      IVA repercutido, Impuesto, Total cuota IVA, IVA total, Importe del IVA, Importe de IVA, Total cuotas,
      IVA incluido, ITBMS, Total I V A, Cuota total, Total IGIC, Monto IVA, Total cuota, Suma IVA, Total
      cuotas IVA, Importe impuestos, Importe total IVA`),
    gross: phrases(`
      Total factura, Total con IVA, Importe total, Total IVA incluido, Total general, Total importe, Total
      bruto, Importe total factura, TOTAL FACTURA EUR, Total abono, Total con impuestos, Importe bruto, Total
      de la factura, Importe de la factura, Importe factura, Total líquido, Importe total con IVA, Monto
      total, Total ticket, Total documento, Importe total IVA incluido, Total nota de crédito, Total IVA inc,
      Total impuestos incluidos, Total (IVA incluido), Total a abonar al cliente, Total facturado, Total
      importe factura, Total fra, Total rectificativa, Total factura rectificativa, Importe total del abono,
      Importe total EUR, Total venta, Importe del abono, Precio total`),
    due: phrases(`
      Total a pagar, Importe a pagar, A pagar, Importe pendiente, Pendiente de pago, Saldo pendiente, Importe
      pendiente de pago, Pendiente, Líquido a pagar, Líquido, Importe líquido, Resto a pagar, Saldo, Total
      pendiente, Neto a pagar, Restante, Importe adeudado, Cantidad a pagar, Saldo a pagar, Total adeudado,
      Monto adeudado, Queda por pagar, Total a abonar, Total a cobrar, Importe a abonar, Total a ingresar,
      Importe restante, Total a devolver, Importe a devolver, Total pendiente de pago, Pendiente de cobro,
      Pendiente a pagar, Resta por pagar, Total líquido a pagar, Restante a pagar, Saldo deudor, Resto
      pendiente`),
    prepaid: phrases(`
      Anticipo, Anticipos, Pagado, Importe pagado, A cuenta, Entrega a cuenta, Entregas a cuenta, Pago a
      cuenta, Pagos a cuenta, Ya pagado, Depósito, Pago anticipado, Pagos recibidos, Señal, Menos anticipo,
      Anticipo recibido, Pago recibido, Pagos anticipados, Importe ya pagado, Provisión de fondos, Anticipo
      abonado, Anticipo pagado, Cobrado, Pagado a cuenta, Descuento anticipo, Anticipos recibidos, Deducción
      anticipo, Pagado anteriormente, Adelanto`),
    subtotal: phrases(`
      Subtotal, Sub total, Suma, Total artículos, Total líneas, Importe bruto productos, Suma importes, Suma
      parcial, Suma de importes, Total bruto artículos, Total mercancía, Suma de líneas`),
    total: phrases('Total, Importe, Total EUR, Total euros, Monto, Total €, Totales'),
    discount: phrases(`
      Descuento, Dto, Descuentos, Rebaja, Bonificación, Descuento comercial, Descuento pronto pago, Dto
      comercial, Dto p p, Descuento global, Importe descuento, Total descuento, Total descuentos`),
    charge: phrases(`
      Gastos de envío, Portes, Envío, Transporte, Recargo, Gastos, Recargo de equivalencia, Gastos de
      transporte, Embalaje, Suplidos, Propina, Gastos de gestión, R E`),
    carryOver: phrases(`
      Suma y sigue, Suma anterior, Sigue, Total página, Arrastre, Viene de la página anterior, Suma página
      anterior, Continúa, Sumas anteriores, Importe arrastrado, Traspaso, Total a arrastrar, Subtotal página,
      Suma y sigue de la página, Continúa en la página, Saldo anterior página`),
    rounding: phrases('Redondeo'),
    payment: phrases(`
      Efectivo, Tarjeta, Cambio, Entregado, Forma de pago, Tarjeta de crédito, Método de pago, Medio de pago,
      Devolución, Entrega, Tarjeta bancaria, Su cambio, Pago tarjeta, Pago con tarjeta, Visa, Contado, A
      devolver`),
    seller: phrases(`
      Emisor, Vendedor, Proveedor, De, Remitente, Datos del emisor, Empresa emisora, Datos del vendedor,
      Prestador, Empresa, Datos de la empresa, Emitida por, Expedidor, Datos emisor, Datos del proveedor,
      Beneficiario, Emisor de la factura, Datos fiscales del emisor, Facturado por`),
    buyer: phrases(`
      Cliente, Facturar a, Facturado a, Comprador, Destinatario, Datos del cliente, Receptor, Dirección de
      facturación, Para, A, Datos de facturación, Datos cliente, Señores, Factura a, Cliente facturación,
      Nombre del cliente, A la atención de, Adquirente, Datos fiscales del cliente, Datos fiscales,
      Facturación, Titular, Sr D, Sres, Datos del destinatario, Datos del receptor, Datos del comprador,
      Abonado a, Abonar a, Cliente nombre`),
    shipTo: phrases(`
      Dirección de entrega, Dirección de envío, Enviar a, Lugar de entrega, Entregar en, Envío a, Datos de
      envío, Domicilio de entrega, Destino, Enviado a, Datos de entrega, Obra, Dirección de la obra, Dirección
      de suministro`),
    otherHeading: phrases(`
      Persona de contacto, Pago, Observaciones, Notas, Condiciones de pago, Forma de pago, Datos bancarios, Concepto, Detalle, Detalles,
      Contacto, Desglose IVA, Página, Dirección, Resumen, Información de pago, Comentarios, Desglose de IVA,
      Atendido por, Asunto, Domicilio, Resumen de impuestos, Desglose de impuestos, Gracias, Le atendió,
      Agente, Comercial, Proyecto, Condiciones, Datos de pago, Resumen de IVA`),
    name: phrases(`
      Nombre, Razón social, Empresa, Nombre o razón social, Denominación, Denominación social, Nombre razón
      social, Nombre fiscal, Nombre comercial, Nombre y apellidos`),
    title: phrases(`
      Factura, Abono, Recibo, Ticket, Factura rectificativa, Factura simplificada, Nota de crédito, Factura de
      abono, Factura proforma, Nota de abono, Duplicado, Tique, Factura ordinaria, Factura completa, Copia,
      Original, Minuta, Factura de venta, Factura final, Minuta de honorarios`),
    currency: phrases(`
      Moneda, Divisa, Importes en, Importes expresados en, Precios en, Todos los importes en`),
    terms: phrases('Condiciones de pago, Forma de pago, Plazo de pago, Condiciones'),
    contact: phrases(`
      Tel, Teléfono, Fax, Correo, Correo electrónico, Email, E mail, Web, Móvil, Tlf, Tfno, Telf, Página web,
      Tlfn`),
    taxId: phrases(`
      CIF, NIF, C I F, N I F, NIF IVA, NIF CIF, CIF NIF, DNI, NIE, Registro Mercantil, RUC, RFC, Nº IVA,
      Inscrita en el Registro Mercantil, VAT, CUIT, Reg Mercantil, Inscrita, N IVA, DNI NIF, DNI CIF, NIF DNI`),
    bank: phrases(`
      IBAN, BIC, SWIFT, Banco, Cuenta, Titular, Nº de cuenta, Cuenta bancaria, Titular de la cuenta, Entidad,
      Transferencia a, Número de cuenta`),
  },
  columns: {
    position: phrases('Nº, Pos, Línea, #, Lin, Ítem, No'),
    sku: phrases(`
      Código, Referencia, Ref, Cód, Código artículo, Cód artículo, Art, Código producto, SKU, EAN, Nº
      artículo, Cod art`),
    description: phrases(`
      Descripción, Concepto, Artículo, Producto, Detalle, Servicio, Denominación, Conceptos, Descripción del
      producto, Descripción del servicio, Artículos, Producto servicio, Descripción del artículo, Concepto
      descripción, Productos, Descripción de los servicios, Designación, Servicios, Descripción concepto,
      Producto o servicio, Nombre, Trabajo`),
    quantity: phrases(`
      Cantidad, Cant, Uds, Unidades, Horas, Ud, Unid, Cdad, Ctd, Cantidades, Nº horas, Días, Cantd, Cantidad
      horas, Und, Nº unidades, Cant uds, Horas unidades`),
    unit: phrases('Unidad, U M, UM, Medida, Unidad de medida'),
    unitPrice: phrases(`
      Precio unitario, Precio, P unitario, P U, Precio unidad, Precio ud, P unit, Precio unit, Tarifa, PVP,
      Precio por unidad, Precio hora, Valor unitario, Importe unitario, PU, Precio unitario EUR, Precio neto,
      Precio un, Precio u, Coste unitario, Precio sin IVA, Precio unitario sin IVA, Precio EUR, Unitario, P
      ud, P V P, Tarifa hora, P uni, Precio por hora`),
    discount: phrases(`
      Dto, Dto %, Descuento, % Dto, Desc, Descuento %, % Desc, % Descuento, Desc %`),
    taxRate: phrases(`
      IVA, IVA %, % IVA, Tipo IVA, Impuesto, I V A, Tipo, IGIC, Tipo de IVA, Impuestos`),
    taxAmount: phrases('Cuota IVA, Importe IVA, Cuota'),
    date: phrases('Fecha, Periodo, Día'),
    amount: phrases(`
      Importe, Total, Importe total, Importe neto, Total línea, Neto, Total neto, Subtotal, Total EUR, Importe
      EUR, Precio total, Base, Base imponible, Valor, Importe sin IVA, Total sin IVA, Valor total, Monto,
      Importe línea, Total importe, Sub total, Total con IVA, Total IVA incl, Total euros, Total artículo,
      Total bruto, Importe bruto, Total concepto`),
  },
};
