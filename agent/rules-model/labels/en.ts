import type { LabelDictionary } from './concepts';
import { phrases } from './phrases';

export const ENGLISH: LabelDictionary = {
  language: 'en',
  stopWords: 'the of and to for your our please is this with from by date due thank you invoice'.split(' '),
  labels: {
    invoiceNumber: phrases(`
      invoice number, invoice no, invoice #, invoice nr, invoice num, invoice id, inv no, inv number, inv #,
      invoice ref, invoice reference, tax invoice no, tax invoice number, tax invoice #, bill number, bill no,
      bill #, credit note number, credit note no, credit note #, credit memo number, credit memo no, credit
      memo #, receipt number, receipt no, receipt #, receipt nr, document number, document no, doc no,
      document id, statement number, cash bill no, bill id, order receipt number, debit note no, number of
      invoice, our invoice no`),
    otherNumber: phrases(`
      customer number, customer no, customer #, customer id, customer ref, client number, client no, client
      id, account number, account no, account #, order number, order no, order #, order id, purchase order,
      purchase order number, purchase order no, po number, po no, po #, p o number, p o no, p o #, po, your
      order, your reference, your ref, our reference, our ref, reference, reference number, reference no, ref,
      ref no, delivery note, delivery note no, delivery note number, contract number, contract no, project
      number, project no, job number, job no, quote number, quote no, tracking number, booking number,
      original invoice, original invoice no, original invoice number, against invoice, related invoice,
      related invoice number, corrects invoice, gst id, gst id no, terminal, cashier, customer, payment
      reference, shipment number, company registration number, transaction id, service agreement`),
    issueDate: phrases(`
      invoice date, date of invoice, invoice dated, date of issue, issue date, issued, issued on, issued at,
      date issued, date, bill date, billing date, document date, credit note date, credit memo date, credit
      date, receipt date, tax date, tax point, inv date, tax point date, invoice date and tax point, dated,
      statement date, date time, transaction date, sale date, printed`),
    dueDate: phrases(`
      will be debited on, will be charged on, direct debit on, will be collected on, due date, date due, payment due, payment due date, due, due on, due by, payment due by, payment due on,
      payable by, payable until, pay by, please pay by, please remit until, please remit by, payment date,
      payment deadline, payment is due by, payment is due on, to be paid by, pay before, please pay before,
      payable on or before, due for payment, due for payment by, payable no later than, no later than, please
      settle by, please transfer by, payment by, payable on, payment required by, balance due by, amount due
      by, maturity date`),
    otherDate: phrases(`
      delivery date, date of delivery, date of supply, supply date, order date, date of order, ship date,
      shipping date, shipped, service date, date of service, service period, period, billing period, period
      from, from, start date, end date, original invoice date, date of original invoice, print date, printed
      on, delivered on, delivered, performance date, dispatch date, contract date, purchase order date, po
      date, valid until, date of birth, check in, check out, discount until`),
    net: phrases(`
      net total, total net, net amount, net, total excl vat, total ex vat, total excluding vat, total
      excluding tax, total excl tax, total excl gst, total excluding gst, subtotal excl vat, subtotal
      excluding vat, subtotal ex vat, amount before tax, total before tax, net invoice total, net value, net
      invoice amount, total net amount, amount excl vat, amount excluding vat, amount excl tax, taxable
      amount, taxable total, total taxable, taxable value, subtotal before tax, net sales, total without vat,
      total without tax, sub total less discount, subtotal less discount, subtotal after discount, total after
      discount, invoice total excl vat, total ex gst, sub total excluding gst, total sales excluding gst,
      total sales excl gst, net subtotal, total net value, net goods value, total net of vat, vatable amount`),
    tax: phrases(`
      vat, tax, sales tax, vat total, total vat, tax total, total tax, vat amount, tax amount, gst, gst
      amount, total gst, hst, pst, gst hst, plus vat, state tax, local tax, county tax, city tax, value added
      tax, amount of vat, output vat, total taxes, taxes, gst payable, service tax, total vat amount, total
      tax amount, total amount of vat, tax due, estimated tax, vat @, tax @, service tax amount`),
    gross: phrases(`
      grand total, gross total, total gross, gross amount, gross, total incl vat, total inc vat, total
      including vat, total including tax, total incl tax, total inc tax, total inc gst, total incl gst, total
      including gst, invoice total, invoice amount, total invoice amount, total invoice, total amount incl
      vat, total amount including vat, total with vat, total with tax, total sales inclusive of gst, total
      sales inclusive gst, total inclusive of gst, total incl of gst, total rounded, rounded total, total
      amount of invoice, total sales incl gst, total sales including gst, net total rounded, round total,
      credit total, total credit, total credit amount, gross invoice total, gross invoice amount, total gross
      amount, total invoice value, order total, credit note total, total amount payable incl vat, bill total,
      total sale, total for this invoice`),
    due: phrases(`
      Residual, Residual amount, Remaining due, Balance remaining, amount due, balance due, total due, amount payable, total payable, amount to pay, total to pay, to pay,
      due payable, payable, payable amount, please pay, outstanding, balance, outstanding balance, outstanding
      amount, amount outstanding, open amount, remaining balance, remaining amount, total amount due, total
      amount payable, balance payable, balance to pay, net payable, payment amount, amount owed, now due,
      total outstanding, invoice balance, pay this amount, total balance due, amount due for payment,
      remaining balance due, net amount payable, amount to be paid, amount refunded, refund amount, refund
      due, amount to be refunded, total now due`),
    prepaid: phrases(`
      already paid, amount paid, paid, less paid, deposit, less deposit, deposit paid, prepaid, prepayment,
      prepayments, less prepayment, advance payment, less advance payment, paid to date, payments, payments
      received, payment received, total paid, advance, down payment, less down payment, less payments, less
      payments received, retainer, paid in advance, deposit received, less deposit received, received, credits
      applied, less advance, paid amount, prepaid amount, payments applied, payment made, less paid in advance`),
    subtotal: phrases(`
      subtotal, sub total, items total, total items, goods total, total of positions, item total, merchandise
      total, goods value, total goods, line total, lines total, sum of items, total before discount, subtotal
      before discount, sum, total sales, item subtotal`),
    total: phrases(`
      total, totals, total amount, amount, total sum, total price, total value, ttl, total cost`),
    discount: phrases(`
      discount, less discount, rebate, trade discount, special discount, allowance, promotion, discount
      amount, total discount, voucher, coupon, loyalty discount, volume discount, early booking discount`),
    charge: phrases(`
      shipping, shipping and handling, freight, postage, delivery charge, handling, service charge, carriage,
      shipping costs, postage and packing, delivery, surcharge, tip, gratuity`),
    carryOver: phrases(`
      carried forward, carry forward, brought forward, carry over, carried over, subtotal carried forward,
      balance brought forward, amount carried forward, amount brought forward, page total, continued, total
      carried forward, total brought forward, carryover, page subtotal, subtotal brought forward, continued on
      next page, continued on page`),
    rounding: phrases('rounding, rounding adjustment, round adj, rounding adj, round off, rounded'),
    payment: phrases(`
      cash, change, change due, card, credit card, visa, mastercard, debit card, tendered, cash tendered, cash
      received, amount tendered, eftpos, paid by, paid by card, payment method, contactless, tend, paid cash`),
    seller: phrases(`
      seller, vendor, supplier, from, bill from, billed from, invoice from, issued by, sold by, service
      provider, sender, biller, remit to, payable to, remit payment to, make all checks payable to, make
      checks payable to, merchant, contractor, invoicing party, provider, make cheques payable to`),
    buyer: phrases(`
      bill to, billed to, invoice to, invoiced to, sold to, buyer, customer name, client, client name, to,
      recipient, billing address, bill to address, invoice address, invoice recipient, purchaser, charge to,
      bill to customer, customer details, customer address, billing to, billing details, credit to, issued to,
      bill-to, invoice for, for, prepared for, attn, customer, account name, messrs`),
    shipTo: phrases(`
      ship to, shipped to, deliver to, delivery address, shipping address, delivered to, delivery to, ship-to,
      consignee, site address, shipping to, place of delivery, service address, job site`),
    otherHeading: phrases(`
      Sales contact, Contact person, Your contact, Payment, Account manager, notes, terms, terms and conditions, payment details, payment information, bank details, remarks,
      comments, description, payment terms, vat breakdown, tax summary, vat summary, gst summary, contact,
      details, payment instructions, tax breakdown, items, bank information, summary, note, order details,
      salesperson, invoice details, payment method, contact details, thank you, special instructions, page,
      services, subject, project, re, regarding`),
    name: phrases('name, company, company name, business name, legal name, trading name'),
    title: phrases(`
      invoice, tax invoice, credit note, credit memo, receipt, sales invoice, commercial invoice, proforma
      invoice, bill, statement, cash receipt, sales receipt, simplified tax invoice, official receipt, cash
      bill, credit invoice, vat invoice, final invoice, partial invoice, interim invoice, corrected invoice,
      original, copy, duplicate, cancellation invoice, debit note, cash sale, sales credit note`),
    currency: phrases(`
      currency, amounts in, all amounts in, invoice currency, prices in, currency code`),
    terms: phrases(`
      terms, payment terms, terms of payment, conditions, net 30, payment conditions`),
    contact: phrases(`
      phone, tel, telephone, fax, email, e mail, mail, web, website, mobile, www, contact, cell, hotline, toll
      free`),
    taxId: phrases(`
      vat id, vat no, vat number, vat reg no, vat registration, vat registration no, vat registration number,
      vat reg, tax id, tax no, tax number, ein, company no, company number, registration no, registered in
      england, reg no, gst no, gst reg no, gst id no, gst registration no, abn, uen, company reg no,
      registered office, tax identification number, tin, federal tax id, co reg no, gst, roc no, co no, crn,
      registered number, vat reg number, gst number, vat identification number, vat id no`),
    bank: phrases(`
      iban, bic, swift, bank, account holder, account name, sort code, routing number, beneficiary, account,
      account no, account number, bank account, swift code, bank name`),
  },
  columns: {
    position: phrases(`
      pos, no, #, item no, line, item #, position, nr, line no, s no, sr no, sl no`),
    sku: phrases(`
      sku, article, article no, item code, code, product code, part no, part number, ref, item number, article
      number, stock code, product no, product id, isbn, reference, model, hsn, hsn sac, part #, catalog no,
      material`),
    description: phrases(`
      description, item, product, details, service, item description, product description, services,
      particulars, product name, article description, name, task, activity, description of goods, description
      of services, items, product service, item name, goods, description of supply, work, title, item and
      description, service description, product or service, description of service, work performed`),
    quantity: phrases(`
      qty, quantity, hours, hrs, units, qty hr, qty hrs, no of units, quantity hours, amount of units, days,
      pcs, qty shipped, hrs qty, hours qty, shipped, time, billed qty, count, qty units, qty ordered, no of
      hours`),
    unit: phrases('unit, uom, u m, unit of measure, um, measure'),
    unitPrice: phrases(`
      U P, unit price, price, rate, unit cost, price each, cost, price per unit, each, unit rate, hourly rate,
      price unit, unit net, net price, unit price net, unit price excl vat, u price, item price, list price,
      cost per unit, net unit price, rate hr, per unit, price ea, day rate, rate per hour, unit amount, unit
      price excl tax`),
    discount: phrases('discount, disc, disc %, discount %, rebate, less'),
    taxRate: phrases(`
      vat, vat %, tax, tax %, tax rate, vat rate, gst, gst %, tax code, gst rate, % vat, sales tax, taxable,
      vat code`),
    taxAmount: phrases('vat amount, tax amount, gst amount, vat amt'),
    date: phrases('date, service date, period'),
    amount: phrases(`
      amount, total, line total, total price, net amount, extended price, subtotal, total amount, ext price,
      net, net total, amount net, total net, extension, extended, sum, value, total excl vat, line amount, net
      value, amount excl vat, total cost, price total, amt, gross, total ex vat, item total, sub total, total
      net price, gross amount, total incl vat, amount due, net price total`),
  },
};
