import type { LabelDictionary } from './concepts';
import { phrases } from './phrases';

export const FRENCH: LabelDictionary = {
  language: 'fr',
  stopWords:
    'le la les des du de et pour votre notre par sur une un au aux est dans facture vous nous date'.split(
      ' ',
    ),
  labels: {
    invoiceNumber: phrases(`
      Numéro de facture, N° de facture, Facture N°, Facture numéro, Facture no, N° facture, No facture,
      Facture num, Num facture, Facture #, Facture nr, Réf facture, Référence facture, Référence de facture,
      Numéro facture, N° d avoir, Avoir N°, Numéro d avoir, Avoir numéro, N° avoir, Numéro de l avoir, N° de
      reçu, Reçu N°, Ticket N°, N° ticket, N° de ticket, Numéro de document, N° de document, N° document, N°
      de pièce, N° pièce, Facture d acompte N°, Facture d avoir N°, Numéro de la facture, Facture proforma N°,
      Note N°, Note d honoraires N°, Facture réf, N° quittance, Numéro de reçu, Facture de solde N°, N° de l
      avoir`),
    otherNumber: phrases(`
      N° client, Numéro client, Code client, N° de client, Numéro de client, Réf client, Référence client,
      Référence, Réf, Votre référence, Notre référence, Vos références, Nos références, N° de commande, N°
      commande, Numéro de commande, Commande N°, Bon de commande, N° bon de commande, Bon de commande N°,
      Commande, Bon de livraison, N° bon de livraison, Bon de livraison N°, N° contrat, N° de contrat, N° TVA
      client, Réf marché, N° bon de vente, N° de bon de livraison, N° de devis, Devis N°, N° devis, Devis, N°
      de facture associée, Facture d origine, Facture associée, Facture initiale, Annule facture, Avoir sur
      facture, Avoir sur facture N°, Relatif à la facture, Relatif à la facture N°, Concerne la facture,
      Concerne facture, Concerne la facture N°, Facture de référence, Sur facture N°, sur la facture N°,
      Identifiant client, N° de dossier, Dossier, N° de compte, Compte client, Numéro de compte, N° de bon de
      commande, Réf projet, Réf comptable, Réf commande, Chantier, N° fournisseur, Caisse, N° abonné, Facture
      d origine N°, Référence commande, N° bon de réception, Numéro de devis, Affaire`),
    issueDate: phrases(`
      Date de facture, du, Date facture, Date de facturation, Date, Date d émission, Émise le, Émis le, Date de la
      facture, Facture du, Date du document, Date avoir, Date d avoir, Date de l avoir, Facturé le, Fait le,
      Éditée le, Édité le, en date du, Date document, Date du reçu, Date d édition, Établie le, Date de vente,
      Date et heure, Date de création`),
    dueDate: phrases(`
      sera prélevé le, Prélèvement le, Prélèvement à partir du, sera prélevée le, Date d échéance, Échéance, Date échéance, Échéance le, À payer avant le, À payer avant, À régler avant
      le, Payable le, Payable avant le, Date limite de paiement, Date de paiement, Date d exigibilité, Date
      limite de règlement, à régler au plus tard le, Paiement avant le, Règlement avant le, payable au plus
      tard le, au plus tard le, avant le, Échéance de paiement, À régler le, Payable jusqu au, Date de
      règlement, Échéance au, Échéance du, paiement dû le, Exigible le, Paiement le, Paiement à effectuer
      avant le, Paiement pour le, À régler pour le, Paiement attendu le, Règlement le`),
    otherDate: phrases(`
      Date de livraison, Date livraison, Date de commande, Date commande, Période, Date de prestation, Date d
      expédition, Livré le, Date de la prestation, Période de facturation, Période du, Date de facture
      associée, Date de debut de prestation, Date de fin de prestation, Date début, Date fin, Date de début,
      Date de fin, Date d exécution, Commande du, Date de la commande, Période de, Prestation du, Intervention
      du, Date d intervention, Date de la vente, Livraison du, Devis du, Date d arrivée, Date de départ,
      Escompte, Date de la facture d origine, Bon de commande du, Date facture d origine`),
    net: phrases(`
      Total HT, Montant HT, Total hors taxes, Total hors taxe, Total H T, Net HT, Total net HT, Sous total HT,
      Montant hors taxes, Montant total HT, HT, Total général HT, Total HT net, Base HT, Total HTVA, Montant
      net HT, Montant HTVA, Total facture HT, Hors taxes, Total HT en EUR, Somme HT, Total HT après remise,
      Total HT remisé, Total hors TVA, Montant hors TVA, Total avoir HT, Total HT EUR, Net commercial, Net
      commercial HT, Total hors T V A, Sous total hors taxes, Prix HT, Base imposable, Total net hors taxes,
      Total HT avec remise, Valeur HT`),
    tax: phrases(`
      TVA, Total TVA, Montant TVA, Total taxes, Montant de la TVA, Taxes, T V A, TVA collectée, Dont TVA,
      Total de la TVA, Montant total TVA, Montant total de la TVA, Total TVA EUR, Montant des taxes, Taxe,
      Total des taxes, TPS, TVQ, TVA à, TVA au taux de, TVA incluse, TVA total, TVA totale, Taxe sur la valeur
      ajoutée, Total T V A, TVA due, Somme TVA`),
    gross: phrases(`
      Total TTC, Montant TTC, Total toutes taxes comprises, Montant total TTC, Total général, Total général
      TTC, Total T T C, TTC, Net TTC, Total facture, Total TVAC, Total TVA comprise, Montant total, Total de
      la facture, Montant de la facture, Total TTC en EUR, Total facture TTC, Total avoir, Total avoir TTC,
      Montant de l avoir, Total de l avoir, Total TTC EUR, Montant total de la facture, Toutes taxes
      comprises, Total TVA incluse, Montant TVAC, Prix TTC, Somme TTC, Total taxes comprises, Montant facture
      TTC, Net TTC à créditer, Total incl TVA, Montant total TVAC, Prix total TTC`),
    due: phrases(`
      Somme à payer TTC, Net à payer, Solde à payer, Reste à payer, À payer, Montant à payer, Solde dû, Montant dû, Total à
      payer, Solde, Net à payer TTC, Reste dû, Net à payer EUR, Montant restant dû, Net à régler, À régler,
      Total dû, Montant net à payer, Solde restant, Solde restant dû, Restant dû, Somme à payer, Net à
      créditer, Net à rembourser, Montant à régler, Total à régler, Solde à régler, Reste à régler, Montant à
      rembourser, Montant du, Net à votre crédit, Net à déduire, Solde TTC, Solde à payer TTC, Reste à payer
      TTC`),
    prepaid: phrases(`
      Acompte, Acompte versé, Acompte reçu, Acompte déjà versé, Déjà payé, Déjà réglé, Montant déjà réglé,
      Acomptes, Acomptes versés, Montant payé, Payé, Versement, Arrhes, Paiement reçu, Règlement reçu, Avance,
      Réglé, Déduction acompte, Acompte déduit, Acompte TTC, Provision, Provision versée, Acompte réglé,
      Paiements reçus, Montant déjà payé, Déjà versé, Acompte payé, Moins acompte, Acompte à déduire,
      Virement, Acompte perçu, Paiement déjà effectué`),
    subtotal: phrases(`
      Sous total, Total brut, Total articles, Total brut HT, Total lignes, Montant brut, Sous total articles,
      Total avant remise, Total HT brut, Total HT avant remise, Total des articles`),
    total: phrases(`
      Total, Montant, Somme, Total EUR, Total en EUR, Total euros, Total général EUR, Totaux`),
    discount: phrases(`
      Remise, Remise commerciale, Rabais, Ristourne, Réduction, Escompte, Remise globale, Remise
      exceptionnelle, Remises, Remise fidélité, Bon de réduction, Total remise, Montant remise, Total remises`),
    charge: phrases(`
      Frais de port, Port, Livraison, Frais, Transport, Charge, Frais de livraison, Frais d expédition, Frais
      de transport, Frais de déplacement, Emballage, Éco participation, Pourboire, Frais de port HT, Frais de
      gestion, Éco contribution`),
    carryOver: phrases(`
      À reporter, Report, Total à reporter, Sous total à reporter, Report page précédente, Reporté, Total
      page, Sous total page, Suite page suivante, Montant à reporter, Montant reporté, Report de la page,
      Total reporté, Sous total reporté`),
    rounding: phrases('Arrondi, Arrondis, Différence d arrondi'),
    payment: phrases(`
      Espèces, Carte bancaire, CB, Rendu, Monnaie rendue, Rendu monnaie, Carte bleue, Mode de paiement,
      Chèque, Mode de règlement, Payé par, Sans contact, Moyen de paiement, Carte, À rendre, Réglé par`),
    seller: phrases(`
      Vendeur, Fournisseur, Émetteur, Expéditeur, Prestataire, De, Facturé par, Émis par, Société,
      Bénéficiaire, Émetteur de la facture, Vendu par, Facture émise par, Créancier, Nom du fournisseur`),
    buyer: phrases(`
      Facturé à, Client, Acheteur, Destinataire, Adresse de facturation, Facture à, Adresse du client, Adressé
      à, À l attention de, Facturer à, Nom du client, Facturation, À, Pour, Coordonnées client, Informations
      client, Facture pour, Adresse client, Client facturé, Débiteur, Avoir à, Preneur, Client final, Doit,
      Votre adresse, Adresse de facture, Locataire, Maître d ouvrage, Nom client, Émise à, Émis à, Crédité à`),
    shipTo: phrases(`
      Adresse de livraison, Livraison, Livré à, Livrer à, Lieu de livraison, Adresse d expédition, Expédié à,
      Destination, Adresse de chantier, Adresse du chantier, Lieu d intervention, Adresse d intervention`),
    otherHeading: phrases(`
      Votre contact, Paiement, Conditions de paiement, Notes, Remarques, Règlement, Contact commercial, Coordonnées bancaires, Détail
      TVA, Informations, Mentions, Vos identifiants, Désignation, Contact, Objet, Mentions légales, Page,
      Conditions de règlement, Récapitulatif TVA, Ventilation TVA, Informations de paiement, Observations,
      Adresse, Détail de la TVA, Vendeuse, Interlocuteur, Suivi par, Références sur la facture, Conditions,
      Projet, Merci`),
    name: phrases(`
      Nom, Raison sociale, Nom de l entreprise, Société, Dénomination, Nom société, Entreprise`),
    title: phrases(`
      Facture, Avoir, Reçu, Ticket, Ticket de caisse, Facture d avoir, Facture d acompte, Note de crédit,
      Facture proforma, Quittance, Facture de solde, Duplicata, Note d honoraires, Facture acquittée,
      Justificatif, Facture pro forma, Original, Copie, Note, Facture rectificative`),
    currency: phrases(`
      Devise, Montants en, Montants exprimés en, Monnaie, Prix en, Tous les montants sont en`),
    terms: phrases(`
      Conditions de paiement, Conditions de règlement, Modalités de paiement, Délai de paiement, Modalités de
      règlement`),
    contact: phrases(`
      Tél, Téléphone, Fax, Courriel, E mail, Email, Site, Site web, Mobile, Portable, Mail, Télécopie, Port`),
    taxId: phrases(`
      SIRET, SIREN, RCS, APE, NAF, Code APE, Code NAF, N° TVA, TVA intracommunautaire, N° TVA
      intracommunautaire, N° de TVA, TVA intra, Capital, au capital de, SARL au capital de, SAS au capital de,
      N° TVA intracom, Numéro de TVA, TVA N°, R C S, N° SIRET, N° SIREN, Numéro SIRET, Id TVA, Identifiant
      TVA, BCE, N° d entreprise, Numéro TVA, Numéro d entreprise, SIREN SIRET, Code TVA, N° TVA FR, TVA FR,
      RM, Dirigeant`),
    bank: phrases(`
      IBAN, BIC, RIB, Banque, Titulaire, Titulaire du compte, Bénéficiaire, Domiciliation, Compte`),
  },
  columns: {
    position: phrases('N°, Ligne, Pos, Rang, Ligne fact, #, Poste, No'),
    sku: phrases(`
      Réf, Référence, Code, Code article, Article no, Réf article, Code produit, Code article nom, Référence
      article, Réf produit, N° article, EAN`),
    description: phrases(`
      Désignation, Description, Libellé, Article, Produit, Prestation, Nom désignation, Détail, Code article
      nom désignation, Intitulé, Description des prestations, Désignation des produits, Articles, Produits,
      Nature, Objet, Service, Prestations, Désignation des prestations, Désignation des travaux, Nature des
      prestations, Description des services, Désignation article, Produit service`),
    quantity: phrases(`
      Quantité, Qté, Qte, Nb, Nombre, Heures, Qtés, Quantités, Nombre d heures, Jours, Nbre, Nb heures, Nb
      jours, Nb d heures, Temps, Qté livrée, Quant`),
    unit: phrases('Unité, U, Un, Unit, Unités'),
    unitPrice: phrases(`
      Prix unitaire, P U, PU HT, P U HT, Prix unitaire HT, PU, Prix, Prix unit, Tarif, Prix unit HT, Prix U,
      Taux horaire, P U HT EUR, Prix unitaire EUR, P unitaire, Tarif HT, Prix U HT, PU net, PU TTC, Prix
      unitaire TTC, PU en EUR, PU brut, Prix à l unité, P U net HT, Prix par unité, Tarif unitaire, Prix
      horaire, Coût unitaire, TJM, P U H T, Unitaire HT, PU HT EUR`),
    discount: phrases('Remise, Rem, Remise %, Rem %, Rabais, % Rem, % Remise, Réduction'),
    taxRate: phrases('TVA, Taux TVA, TVA %, % TVA, Taux, Taxe, T V A, Taux de TVA, Code TVA'),
    taxAmount: phrases('Montant TVA, TVA EUR, Total TVA'),
    date: phrases('Date, Période, Jour'),
    amount: phrases(`
      Montant, Total, Montant HT, Total HT, Prix total, Prix HT, Total ligne, Montant H T, Total HT EUR,
      Montant EUR, Montant total, Total ligne HT, Prix total HT, Total net, Montant net, Total TTC, Montant
      TTC, Net HT, Montant HT EUR, Total H T, Sous total, Total EUR, Montant net HT, Total net HT, HT, Total
      ligne TTC, Valeur, Coût total, Montant total HT, Total en EUR, PT HT, P T HT, Total HT net`),
  },
};
